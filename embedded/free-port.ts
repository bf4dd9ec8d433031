import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/**
 * Below the ports that the system gives to outgoing connections (from 32768 on Linux, 49152 elsewhere): one of those, free
 * at this moment, may be taken by any connection before it is listened on.
 */
const lowest = 12_000;
const highest = 32_000;
const mostTries = 100;

/** A TCP port of 127.0.0.1 that nothing listens on at this moment, and no outgoing connection will take. */
export async function freePort(): Promise<number> {
  for (let tries = 0; tries < mostTries; tries += 1) {
    const port = randomInt(lowest, highest);
    if (await isPortFree(port)) return port;
  }
  throw new Error(`No free port was found between ${lowest} and ${highest}.`);
}

/** Whether `port` of `host` can be listened on now. */
export async function isPortFree(port: number, host = '127.0.0.1'): Promise<boolean> {
  const server = createServer();
  return new Promise((resolve) => {
    server.once('error', () => resolve(false));
    server.listen(port, host, () => server.close(() => resolve(true)));
  });
}

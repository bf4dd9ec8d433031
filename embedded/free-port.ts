import { randomInt } from 'node:crypto';
import { createSocket, type Socket } from 'node:dgram';
import { createServer } from 'node:net';

/**
 * Below the ports that the system gives to outgoing connections (from 32768 on Linux, 49152 elsewhere): one of those, free
 * at this moment, may be taken by any connection before it is listened on.
 */
const lowest = 12_000;
const highest = 32_000;
const mostTries = 100;

/** Ports that this process has got from here: what is to listen on them may not do so yet. */
const given = new Set<number>();

/**
 * A port of 127.0.0.1, TCP and UDP, that nothing listens on at this moment, that no outgoing connection will take, and that
 * this process has not got before.
 */
export async function freePort(): Promise<number> {
  const { port, socket } = await findPort();
  await new Promise<void>((resolve) => socket.close(() => resolve()));
  return port;
}

/**
 * The same for TCP alone, and no other process gets it from here until this one has ended: a server that is started (again)
 * minutes later finds it free. The UDP port of the same number is the sign that it is taken, and the system removes it with
 * the process.
 */
export async function reservedPort(): Promise<number> {
  const { port, socket } = await findPort();
  socket.unref();
  return port;
}

async function findPort(): Promise<{ readonly port: number; readonly socket: Socket }> {
  for (let tries = 0; tries < mostTries; tries += 1) {
    const port = randomInt(lowest, highest);
    if (given.has(port)) continue;
    given.add(port);
    const socket = await udpSocketOn(port);
    if (socket === null) continue;
    if (await isPortFree(port)) return { port, socket };
    socket.close();
  }
  throw new Error(`No free port was found between ${lowest} and ${highest}.`);
}

async function udpSocketOn(port: number): Promise<Socket | null> {
  const socket = createSocket('udp4');
  return new Promise((resolve) => {
    socket.once('error', () => {
      socket.close();
      resolve(null);
    });
    socket.bind({ port, address: '127.0.0.1', exclusive: true }, () => resolve(socket));
  });
}

/** Whether `port` of `host` can be listened on now. */
export async function isPortFree(port: number, host = '127.0.0.1'): Promise<boolean> {
  const server = createServer();
  return new Promise((resolve) => {
    server.once('error', () => resolve(false));
    server.listen(port, host, () => server.close(() => resolve(true)));
  });
}

import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** A TCP proxy on 127.0.0.1 that can forget connections, as a firewall does: neither side hears of it. */
export interface SwallowingProxy {
  readonly port: number;
  /** From now on nothing passes on the connections that there are. Later ones are passed on. */
  swallow(): void;
  /** The same for the next connection on which the client sends these words, from then on; they do not arrive. */
  swallowAt(words: string): void;
  /** How many connections it has taken. */
  readonly taken: number;
  /** How many it has forgotten. */
  readonly forgotten: number;
  close(): Promise<void>;
}

export async function startSwallowingProxy(target: {
  readonly host: string;
  readonly port: number;
}): Promise<SwallowingProxy> {
  const sockets = new Set<Socket>();
  const passing = new Set<Socket>();
  let [taken, forgotten] = [0, 0];
  let ambush: string | undefined;
  const forget = (client: Socket): void => {
    if (passing.delete(client)) forgotten += 1;
  };
  const server = createServer({ allowHalfOpen: true }, (client) => {
    taken += 1;
    const upstream = connect({ ...target, allowHalfOpen: true });
    passing.add(client);
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on('error', () => socket.destroy());
      socket.on('close', () => sockets.delete(socket));
    }
    client.on('data', (bytes) => {
      if (ambush !== undefined && bytes.includes(ambush)) {
        ambush = undefined;
        forget(client);
      }
      if (passing.has(client)) upstream.write(bytes);
    });
    upstream.on('data', (bytes) => {
      if (passing.has(client)) client.write(bytes);
    });
    client.on('end', () => {
      if (passing.has(client)) upstream.end();
      else client.end();
    });
    upstream.on('end', () => {
      if (passing.has(client)) client.end();
      else upstream.end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    swallow() {
      for (const client of passing) forget(client);
    },
    swallowAt(words) {
      ambush = words;
    },
    get taken() {
      return taken;
    },
    get forgotten() {
      return forgotten;
    },
    close: () =>
      new Promise((resolve) => {
        for (const socket of sockets) socket.destroy();
        server.close(() => resolve());
      }),
  };
}

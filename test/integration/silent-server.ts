import { type AddressInfo, createServer, type Socket } from 'node:net';

export interface SilentServer {
  readonly port: number;
  /** How many connections it has taken. */
  readonly connections: number;
  close(): Promise<void>;
}

/**
 * A server that takes connections and does not answer.
 *
 * @param begins what it sends when it has heard something; after that it sends nothing more
 */
export async function startSilentServer(begins = ''): Promise<SilentServer> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => socket.destroy());
    socket.once('data', () => socket.write(begins));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    get connections() {
      return sockets.size;
    },
    close: () =>
      new Promise((resolve) => {
        for (const socket of sockets) socket.destroy();
        server.close(() => resolve());
      }),
  };
}

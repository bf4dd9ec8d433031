import { type AddressInfo, createServer, type Socket } from 'node:net';

export interface SilentServer {
  readonly port: number;
  /** How many connections the other side has ended. */
  readonly ended: number;
  close(): Promise<void>;
}

/**
 * A server that takes connections and does not answer.
 *
 * @param begins what it sends when it has heard something; after that it sends nothing more
 */
export async function startSilentServer(begins = ''): Promise<SilentServer> {
  const sockets = new Set<Socket>();
  let ended = 0;
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => socket.destroy());
    socket.once('close', () => (ended += 1));
    socket.once('data', () => socket.write(begins));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    get ended() {
      return ended;
    },
    close: () =>
      new Promise((resolve) => {
        for (const socket of sockets) socket.destroy();
        server.close(() => resolve());
      }),
  };
}

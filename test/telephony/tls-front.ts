import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { createServer, type TLSSocket } from 'node:tls';
import type { Certificate } from './certificate.js';

export interface TlsFront {
  close(): Promise<void>;
}

/** Speaks TLS at a port of loopback and passes what is said on to another in the clear: sipp itself cannot. */
export async function startTlsFront(
  port: number,
  toPort: number,
  { key, certificate }: Certificate,
): Promise<TlsFront> {
  const open = new Set<TLSSocket>();
  const server = createServer({ key: readFileSync(key), cert: readFileSync(certificate) }, (socket) => {
    open.add(socket);
    const behind = connect(toPort, '127.0.0.1');
    socket.pipe(behind).pipe(socket);
    const end = (): void => {
      open.delete(socket);
      socket.destroy();
      behind.destroy();
    };
    for (const each of [socket, behind]) each.once('error', end).once('close', end);
  });
  server.on('tlsClientError', () => undefined); // who does not trust it hangs up
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  return {
    close() {
      for (const socket of open) socket.destroy();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

import { join } from 'node:path';
import { connect } from 'node:net';
import { vi } from 'vitest';
import { startChild } from '../../embedded/child.js';
import { reservedPort } from '../../embedded/free-port.js';
import { temporaryFolder } from '../../embedded/temporary-folder.js';
import { findProgram } from './program.js';
import { soon } from './soon.js';

/** REDIS_SERVER_BIN, else from the PATH; undefined if there is none. */
export const findRedis = (): string | undefined => findProgram('REDIS_SERVER_BIN', 'redis-server');

export interface Redis {
  /** `host:port` */
  readonly address: string;
  close(): Promise<void>;
}

/** A redis on loopback that keeps nothing. */
export async function startRedis(program: string): Promise<Redis> {
  const port = await reservedPort();
  const folder = temporaryFolder('redis');
  const args = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no', '--dir', folder];
  const child = await startChild({ command: program, args, logFile: join(folder, 'redis.log') });
  await vi.waitFor(() => mustListen(port), soon);
  return {
    address: `127.0.0.1:${port}`,
    async close() {
      if (!child.isOver()) process.kill(child.pid, 'SIGKILL');
      await child.exited;
    },
  };
}

function mustListen(port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.destroy();
      resolve();
    });
    socket.once('error', reject);
  });
}

import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { CreateBucketCommand, ListObjectsV2Command, S3Client } from '@aws-sdk/client-s3';
import { vi } from 'vitest';
import { type Child, startChild } from '../../embedded/child.js';
import { reservedPort } from '../../embedded/free-port.js';
import { temporaryFolder } from '../../embedded/temporary-folder.js';
import { findProgram } from './program.js';
import { soon } from './soon.js';

/** An S3-compatible server that keeps objects as files: VERSITYGW_BIN, else from the PATH; undefined if there is none. */
export const findObjectServer = (): string | undefined => findProgram('VERSITYGW_BIN', 'versitygw');

export interface ObjectServer {
  readonly endpoint: string;
  /** Keys of all objects. */
  keys(): Promise<string[]>;
  /** Ends it without a word; objects stay. */
  kill(): Promise<void>;
  restart(): Promise<void>;
  close(): Promise<void>;
}

export const bucket = 'recordings-of-tests';

/** Starts it with an empty bucket, and names its credentials in the environment, where clients look for them. */
export async function startObjectServer(program: string): Promise<ObjectServer> {
  const folder = temporaryFolder('objects');
  for (const name of ['data', 'side']) mkdirSync(join(folder, name));
  const port = await reservedPort();
  const endpoint = `http://127.0.0.1:${port}`;
  process.env.AWS_ACCESS_KEY_ID = 'test';
  process.env.AWS_SECRET_ACCESS_KEY = 'secret-of-tests';
  const env = { ...process.env, ROOT_ACCESS_KEY: 'test', ROOT_SECRET_KEY: 'secret-of-tests' };
  let child: Child;
  const start = async (): Promise<void> => {
    child = await startChild({
      ...{ command: program, env, logFile: join(folder, 'server.log') },
      args: ['--port', `127.0.0.1:${port}`, 'posix', '--sidecar', join(folder, 'side'), join(folder, 'data')],
    });
    await vi.waitFor(() => fetch(endpoint), soon);
  };
  const kill = async (): Promise<void> => {
    if (!child.isOver()) process.kill(child.pid, 'SIGKILL');
    await child.exited;
  };
  await start();
  const s3 = new S3Client({ region: 'us-east-1', endpoint, forcePathStyle: true });
  await s3.send(new CreateBucketCommand({ Bucket: bucket }));
  return {
    ...{ endpoint, kill, restart: start },
    async keys() {
      const { Contents: objects = [] } = await s3.send(new ListObjectsV2Command({ Bucket: bucket }));
      return objects.flatMap(({ Key: key }) => key ?? []);
    },
    async close() {
      s3.destroy();
      await kill();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

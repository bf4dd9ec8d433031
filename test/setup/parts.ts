import { rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { join } from 'node:path';
import pg from 'pg';
import { migrate } from '../../db/migrate.js';
import { startTemporaryPostgres } from '../../embedded/postgres.js';
import { findTemporal, userBinFolder } from '../../embedded/temporal.js';
import { startTemporalServer } from '../../embedded/temporal-server.js';
import { temporaryFolder } from '../../embedded/temporary-folder.js';
import { startSharedService } from './shared-service.js';

/** Database that every test's own one is cloned from. */
export const templateDatabase = 'outdial_template';

/** The same database for the role that the processes of the service connect with. */
export function serviceUrlOf(url: string): string {
  const service = new URL(url);
  service.username = 'outdial_service';
  service.password = 'service';
  return service.href;
}

interface Part {
  readonly value: string;
  stop(): Promise<void>;
}

async function postgres(): Promise<Part> {
  const server = await startTemporaryPostgres();
  const admin = new pg.Client({ connectionString: server.url });
  await admin.connect();
  await admin.query(`create database ${templateDatabase}`);
  await admin.end();
  const template = new URL(server.url);
  template.pathname = `/${templateDatabase}`;
  const pool = new pg.Pool({ connectionString: template.href, max: 1 });
  await migrate(pool, serviceUrlOf(template.href));
  await pool.end();
  return { value: server.url, stop: () => server.stop() };
}

async function temporal(): Promise<Part> {
  const found = await findTemporal({ binFolder: userBinFolder() });
  if (found.kind === 'server') return { value: found.address, stop: () => Promise.resolve() };
  const folder = temporaryFolder('temporal');
  const server = await startTemporalServer({ program: found.path, logFile: join(folder, 'temporal.log') });
  return {
    value: server.address,
    stop: async () => {
      await server.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function service(): Promise<Part> {
  const { stop, ...place } = await startSharedService();
  return { value: JSON.stringify(place), stop };
}

export interface Parts {
  /** Base URL at which test files ask: `/postgres`, `/temporal`, `/service`. */
  readonly url: string;
  stop(): Promise<void>;
}

/**
 * The servers that suites share, each started when the first test file asks for it. Test files run in processes of
 * their own, so they ask over HTTP.
 */
export async function openParts(): Promise<Parts> {
  const makers: Readonly<Record<string, () => Promise<Part>>> = {
    '/postgres': postgres,
    '/temporal': temporal,
    '/service': service,
  };
  const started = new Map<string, Promise<Part>>();
  const server: Server = createServer((request, response) => {
    const name = request.url ?? '';
    const make = makers[name];
    if (make === undefined) {
      response.writeHead(404).end();
      return;
    }
    const part = started.get(name) ?? make();
    started.set(name, part);
    part.then(
      ({ value }) => response.end(value),
      (error: unknown) => response.writeHead(500).end(String(error)),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('No port for the test parts.');
  return {
    url: `http://127.0.0.1:${address.port}`,
    stop: async () => {
      server.close();
      server.closeAllConnections();
      for (const part of await Promise.allSettled(started.values())) {
        if (part.status === 'fulfilled') await part.value.stop();
      }
    },
  };
}

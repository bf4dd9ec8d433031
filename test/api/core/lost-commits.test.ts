import type pg from 'pg';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { openDatabase, type Database } from '../../../db/client.js';
import { aBatch, aRoute, csv, fields, multipart } from '../batch-calls/support.js';
import { anAgent } from '../support-resources.js';
import { anotherApp, api, here } from '../support.js';

/** A database whose answer to the next `commit` is lost: it has been committed, and the connection breaks. */
function losingCommits(database: Database): { losing: Database; loseNext: () => void; lost: () => number } {
  let armed = false;
  let lost = 0;
  const losing = openDatabase({
    url: (database.pool.options as pg.PoolConfig).connectionString ?? '',
    poolSize: 4,
    name: 'api-test-losing',
  });
  losing.pool.on('connect', (client) => {
    const query = client.query.bind(client) as (...args: unknown[]) => unknown;
    client.query = ((...args: unknown[]) => {
      const [statement] = args;
      const text = typeof statement === 'string' ? statement : (statement as { text?: string } | undefined)?.text;
      if (!armed || text !== 'commit') return query(...args);
      armed = false;
      return (query(...args) as Promise<unknown>).then(() => {
        lost += 1;
        (client as unknown as { connection: { stream: { destroy: () => void } } }).connection.stream.destroy();
        throw new Error('Connection terminated unexpectedly');
      });
    }) as typeof client.query;
  });
  return {
    losing,
    loseNext: () => {
      armed = true;
    },
    lost: () => lost,
  };
}

/** Runs `work` with an API that loses the answer of one commit, and sees that it was lost. */
async function losingOneCommit(
  work: (app: Awaited<ReturnType<typeof anotherApp>>, loseNext: () => void) => Promise<void>,
): Promise<void> {
  const { losing, loseNext, lost } = losingCommits(here().deps.database);
  const app = await anotherApp({ database: losing });
  try {
    await work(app, loseNext);
    expect(lost()).toBe(1);
  } finally {
    await losing.close();
  }
}

const counted = async (table: string): Promise<number> => {
  const { rows } = await sql<{ count: number }>`select count(*)::int as count from ${sql.table(table)}`.execute(
    here().database.db,
  );
  return rows[0]?.count ?? 0;
};

/** A request that creates something. */
interface Creation {
  readonly what: string;
  readonly table: string;
  readonly ask: () => Promise<{ url: string; body: unknown; headers?: Readonly<Record<string, string>> }>;
}

const creations: readonly Creation[] = [
  {
    what: 'a single call',
    table: 'calls',
    ask: async () => {
      const { phoneNumber } = await aRoute();
      return { url: '/v2/sip/call', body: { sipCallTo: '+919800000001', sipCallFrom: phoneNumber } };
    },
  },
  {
    what: 'a batch',
    table: 'batches',
    ask: async () => {
      const { phoneNumber } = await aRoute();
      const { body, contentType } = multipart([...fields({ name: 'Once', phoneNumber }), csv()]);
      return { url: '/v1/batch-calls', body, headers: { 'content-type': contentType } };
    },
  },
  {
    what: 'a deployment',
    table: 'deployments',
    ask: async () => ({ url: `/v1/agents/${await anAgent()}/deploy`, body: {} }),
  },
];

test.each(creations)(
  '$what exists once if the answer of its commit was lost and the request is repeated with its Idempotency-Key',
  async ({ table, ask }) => {
    const { url, body, headers = {} } = await ask();
    await losingOneCommit(async (app, loseNext) => {
      const options = { app, headers: { ...headers, 'idempotency-key': `key of ${url}` } };
      const before = await counted(table);
      loseNext();
      expect(await api.post(url, body, options)).toMatchObject({ status: 503 });
      const again = await api.post(url, body, options);
      expect(again.status).toBeLessThan(300);
      expect(again.headers['idempotent-replayed']).toBe('true');
      expect(await counted(table)).toBe(before + 1);
    });
  },
);

test.each([
  { what: 'PATCH', method: 'patch', path: '', body: { maxConcurrentCalls: 7 }, then: { maxConcurrentCalls: 7 } },
  { what: 'pause', method: 'post', path: '/pause', body: {}, then: { paused: true } },
  { what: 'cancel', method: 'post', path: '/cancel', body: {}, then: { status: 'cancelling' } },
] as const)(
  'a $what whose commit was made and whose answer was lost holds, and repeating it is harmless',
  async ({ method, path, body, then }) => {
    const { batchId } = await aBatch({ status: 'running' });
    const url = `/v1/batch-calls/${batchId}`;
    await losingOneCommit(async (app, loseNext) => {
      loseNext();
      expect(await api[method](`${url}${path}`, body, { app })).toMatchObject({ status: 503 });
      expect(await api.get(url)).toMatchObject({ status: 200, body: then });
      await api[method](`${url}${path}`, body, { app });
      expect(await api.get(url)).toMatchObject({ status: 200, body: then });
    });
  },
);

import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { MockActivityEnvironment } from '@temporalio/testing';
import { sql } from 'kysely';
import { from as copyFrom, to as copyTo } from 'pg-copy-streams';
import { v7 as uuid } from 'uuid';
import { parseBatch } from '../activities/parse-batch.js';
import type { Database } from '../db/client.js';
import { formatId } from '../domain/ids.js';
import { bareCsv } from './numbers.js';
import { median, type Result } from './result.js';
import { scratchDatabase } from './scratch-database.js';

/** The columns that parsing fills. */
const target =
  'calls (id, account_id, batch_id, position, to_number, from_number, rule_id, gateway_id, agent_id, simulated, metadata, time_zones)';
const pieceBytes = 256 * 1024;

/**
 * The activity that reads a file and stores its calls, over a COPY of the very same rows into the same table, which has its
 * indexes in both cases. Taken in turn, so that a machine that slows down does so for both.
 */
export async function measureParse(
  rows: number,
  rounds: number,
  say: (line: string) => void,
): Promise<readonly Result[]> {
  const scratch = await scratchDatabase();
  const { database } = scratch;
  try {
    const accountId = formatId('account', uuid());
    await database.db
      .insertInto('accounts')
      .values({ id: accountId, name: 'Benchmark', webhook_secret_sealed: 'sealed' })
      .execute();
    const file = bareCsv(rows);
    say(`Parsing and copying ${rows} rows, ${rounds} times each.`);
    await timeParse(database, accountId, file, rows); // warms up, and leaves the rows to copy
    const lines = await storedRows(database);
    await timeCopy(database, lines, rows);

    const parse: number[] = [];
    const copy: number[] = [];
    for (let round = 0; round < rounds; round++) {
      parse.push(await timeParse(database, accountId, file, rows));
      copy.push(await timeCopy(database, lines, rows));
    }
    const size = `${(file.length / 1e6).toFixed(1)} MB, ${rows} rows; median of ${rounds}`;
    return [
      { name: 'parse + store', value: median(parse), unit: 's', note: size },
      { name: 'raw COPY', value: median(copy), unit: 's', note: 'the same rows into the same table' },
      {
        name: 'parse + store ÷ raw COPY',
        value: median(parse) / median(copy),
        unit: '×',
        aim: { atMost: 2 },
        note: 'taken in turn on one PostgreSQL, fsync on',
      },
    ];
  } finally {
    await scratch.stop();
  }
}

/** Leaves nothing of the run before, and nothing of it to be written in the next. */
async function clear({ db }: Database): Promise<void> {
  await sql`truncate batches, calls cascade`.execute(db);
  await sql`checkpoint`.execute(db);
}

async function count({ db }: Database): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*)::integer as count from calls`.execute(db);
  return rows[0]?.count ?? 0;
}

/** @returns seconds from the start of the activity to its commit */
async function timeParse(database: Database, accountId: string, file: Buffer, rows: number): Promise<number> {
  await clear(database);
  const batchId = await uploaded(database, accountId, file);
  const environment = new MockActivityEnvironment();
  const startedMs = performance.now();
  await environment.run(() => parseBatch({ database, kickOutbox: () => undefined }, { accountId, batchId }));
  const seconds = (performance.now() - startedMs) / 1000;
  const stored = await count(database);
  if (stored !== rows) throw new Error(`Parsing stored ${stored} of ${rows} rows.`);
  return seconds;
}

/** A batch as an upload leaves it, due tomorrow. */
async function uploaded({ db }: Database, accountId: string, file: Buffer): Promise<string> {
  const batchId = formatId('batch', uuid());
  const day = new Date(Date.now() + 86_400_000);
  await db
    .insertInto('batches')
    .values({
      id: batchId,
      account_id: accountId,
      name: 'Large file',
      number_id: formatId('number', uuid()),
      from_number: '+12025550100',
      rule_id: formatId('rule', uuid()),
      agent_id: formatId('agent', uuid()),
      gateway_id: formatId('outboundGateway', uuid()),
      timing: 'scheduled',
      timezone: 'UTC',
      starts_at: day,
      scheduled_date: day.toISOString().slice(0, 10),
      scheduled_time: day.toISOString().slice(11, 16),
      simulated: true,
    })
    .execute();
  await db
    .insertInto('batch_files')
    .values({
      key: formatId('file', uuid()),
      batch_id: batchId,
      account_id: accountId,
      filename: 'numbers.csv',
      extension: 'csv',
      byte_size: file.length,
      bytes: file,
      sha256: createHash('sha256').update(file).digest('hex'),
    })
    .execute();
  return batchId;
}

/** What parsing has stored, as COPY writes it. */
async function storedRows({ pool }: Database): Promise<Buffer> {
  const client = await pool.connect();
  try {
    return await buffer(client.query(copyTo(`copy ${target} to stdout`)));
  } finally {
    client.release();
  }
}

/** @returns seconds from the start of the COPY to its commit */
async function timeCopy(database: Database, lines: Buffer, rows: number): Promise<number> {
  await clear(database);
  const client = await database.pool.connect();
  let seconds: number;
  try {
    const startedMs = performance.now();
    await pipeline(Readable.from(piecesOf(lines)), client.query(copyFrom(`copy ${target} from stdin`)));
    seconds = (performance.now() - startedMs) / 1000;
  } finally {
    client.release();
  }
  const stored = await count(database);
  if (stored !== rows) throw new Error(`COPY stored ${stored} of ${rows} rows.`);
  return seconds;
}

function* piecesOf(bytes: Buffer): Generator<Buffer> {
  for (let from = 0; from < bytes.length; from += pieceBytes) yield bytes.subarray(from, from + pieceBytes);
}

import { createReadStream, statSync } from 'node:fs';
import { createInterface } from 'node:readline';
import pg from 'pg';

/** How much PostgreSQL has written and done so far. */
interface Work {
  readonly walBytes: number;
  readonly commits: number;
  readonly connections: number;
  readonly updates: ReadonlyMap<string, { readonly all: number; readonly inPlace: number }>;
}

const workOf = async (client: pg.Client): Promise<Work> => {
  await client.query('select pg_stat_force_next_flush()');
  const { rows: sums } = await client.query<{ wal: string; commits: string; connections: string }>(
    `select pg_current_wal_lsn() - '0/0' as wal, sum(xact_commit) as commits, sum(sessions) as connections from pg_stat_database`,
  );
  const { rows: tables } = await client.query<{ name: string; all: string; hot: string }>(
    'select relname as name, n_tup_upd as all, n_tup_hot_upd as hot from pg_stat_user_tables',
  );
  return {
    walBytes: Number(sums[0]?.wal),
    commits: Number(sums[0]?.commits),
    connections: Number(sums[0]?.connections),
    updates: new Map(tables.map(({ name, all, hot }) => [name, { all: Number(all), inPlace: Number(hot) }])),
  };
};

/**
 * Has PostgreSQL log each statement with the time that it took. Its shared library for this is not part of the embedded server.
 *
 * @param url of the owner of the cluster
 * @param logFile what the server logs to
 * @returns ends it and tells, for so many calls, which statements took how long
 */
export async function watchStatements(url: string, logFile: string): Promise<(calls: number) => Promise<string>> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => undefined); // the server ends before the watch if what is watched fails
  await client.connect();
  const set = async (statements: readonly string[]): Promise<void> => {
    for (const each of [...statements, 'select pg_reload_conf()']) await client.query(each);
  };
  await set(['alter system set log_min_duration_statement = 0', 'alter system set log_parameter_max_length = 0']);
  const start = statSync(logFile).size;
  const before = await workOf(client);
  return async (calls) => {
    const after = await workOf(client);
    await set(['alter system reset log_min_duration_statement', 'alter system reset log_parameter_max_length']);
    await client.end();
    return `${workReport(before, after, calls)}\n\n${await statementReport(logFile, start, calls)}`;
  };
}

function workReport(before: Work, after: Work, calls: number): string {
  const updates = [...after.updates].flatMap(([name, { all, inPlace }]) => {
    const earlier = before.updates.get(name) ?? { all: 0, inPlace: 0 };
    const count = all - earlier.all;
    return count === 0 ? [] : [{ name, count, inPlace: inPlace - earlier.inPlace }];
  });
  return [
    `${Math.round((after.walBytes - before.walBytes) / calls)} bytes of WAL and ${((after.commits - before.commits) / calls).toFixed(3)} commits for each call. ${after.connections - before.connections} new connections.`,
    '',
    'Rows updated for each call, and how many of them without touching an index:',
    '',
    ...updates
      .toSorted((a, b) => b.count - a.count)
      .map(
        ({ name, count, inPlace }) =>
          `${(count / calls).toFixed(3).padStart(8)}  ${(inPlace / calls).toFixed(3).padStart(8)}  ${name}`,
      ),
  ].join('\n');
}

interface Statement {
  count: number;
  ms: number;
  /** Of which reading its text and planning it took. */
  plannedMs: number;
}

const nothing = (): Statement => ({ count: 0, ms: 0, plannedMs: 0 });

/** A line of the log: how long a step of a statement took, and its text as far as the first line. */
const step = /duration: (\d+\.\d+) ms {2}(parse|bind|execute|statement)(?: [^:]*)?: ([\s\S]*)/;
/** How an entry of the log begins, which may have several lines. */
const begin = /^\d{4}-\d\d-\d\d /;
const mostOfAText = 150;
const shown = 60;

/** The entries of a log from this byte on, one by one: all of them may be more than a text can hold. */
async function* entriesOf(path: string, start: number): AsyncGenerator<string> {
  let lines: string[] = [];
  for await (const line of createInterface({ input: createReadStream(path, { start }) })) {
    if (begin.test(line)) {
      yield lines.join('\n');
      lines = [];
    }
    lines.push(line);
  }
  yield lines.join('\n');
}

async function statementReport(logFile: string, start: number, calls: number): Promise<string> {
  const byText = new Map<string, Statement>();
  const all = nothing();
  for await (const entry of entriesOf(logFile, start)) {
    const [, ms, kind, text = ''] = step.exec(entry) ?? [];
    if (ms === undefined) continue;
    const words = text.replace(/\s+/g, ' ').slice(0, mostOfAText);
    const statement = byText.get(words) ?? nothing();
    byText.set(words, statement);
    const isRun = kind === 'execute' || kind === 'statement';
    for (const sum of [statement, all]) {
      sum.count += isRun ? 1 : 0;
      sum.ms += Number(ms);
      sum.plannedMs += isRun ? 0 : Number(ms);
    }
  }
  const rows = [...byText]
    .toSorted(([, a], [, b]) => b.ms - a.ms)
    .slice(0, shown)
    .map(
      ([text, { count, ms, plannedMs }]) =>
        `${(ms / calls).toFixed(4).padStart(8)}  ${(plannedMs / calls).toFixed(4).padStart(8)}  ${(count / calls).toFixed(4).padStart(8)}  ${(ms / Math.max(count, 1)).toFixed(2).padStart(8)}  ${text}`,
    );
  return [
    `${(all.count / calls).toFixed(3)} statements for each call, which took ${(all.ms / calls).toFixed(3)} ms of it, ${(all.plannedMs / calls).toFixed(3)} of that to read and plan them. Waiting for locks and for the disk is part of that.`,
    '',
    ' ms/call   planned  times/call  ms each  statement',
    ...rows,
  ].join('\n');
}

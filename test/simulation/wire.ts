import { createHash } from 'node:crypto';
import { Kysely, PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler } from 'kysely';
import pg from 'pg';
import type { Database } from '../../db/client.js';
import type { DB } from '../../db/types.js';
import { createDriver, type Answered } from './driver.js';
import { type Course, type Happening, type Happenings, smooth } from './happenings.js';
import { createLines, type Line, type Physical, type UnderWay } from './lines.js';
import type { Process, VirtualTime } from './time.js';

/** Told of each statement that PostgreSQL has carried out; `arrived` is the step at which it got there. */
export type Observe = (asked: Asked, rows: readonly unknown[], arrived: number) => void;

export interface Asked {
  readonly text: string;
  readonly params: readonly unknown[];
}

/** Connections of simulated processes: each statement waits until the simulation lets it reach PostgreSQL. */
export interface Wire {
  open(process: Process, poolSize: number): Database;
  /** What the server does when a process is gone: its transactions are rolled back. */
  hangUp(process: Process): Promise<void>;
  /** Nothing is under way any more. */
  close(): Promise<void>;
  /** What the server does with transactions in which nothing has been asked for ten seconds. */
  endIdleTransactions(): Promise<void>;
  /** Deadlocks that PostgreSQL has found. */
  readonly deadlocks: number;
}

/** The product's own (db/client.ts). */
const idleInTransactionMs = 10_000;
/** Notifications do not reach simulated processes: their slow polls find everything. */
class NoNotifications extends pg.Pool {
  override connect(): Promise<pg.PoolClient>;
  override connect(
    callback: (error: Error | undefined, client: pg.PoolClient | undefined, done: (release?: unknown) => void) => void,
  ): void;
  override connect(): Promise<pg.PoolClient> {
    return Promise.reject(new Error('there are no notifications'));
  }
}

const lost = () => new Error('Connection terminated unexpectedly');

export function createWire(deps: {
  /** Idle connections; what the simulation opens is left here for the next one. */
  readonly idle: Physical[];
  readonly connect: () => Promise<Physical>;
  readonly admin: pg.Client;
  readonly time: VirtualTime;
  readonly happenings: Happenings;
  readonly observe: Observe;
  /** The step of the simulation. */
  readonly step: () => number;
  /** What PostgreSQL is told instead of a statement, to see that what is broken is found. */
  readonly rewrite: (text: string) => string;
}): Wire {
  const { admin, time, happenings } = deps;
  const lines = createLines(deps);
  /** Where statements are whose asker has given up. */
  const network: Process = { name: 'network', skewMs: 0, frozenUntilMs: 0, dead: false };
  /** What arrives when its process asks the same again. */
  let overtaken: { readonly process: Process; readonly text: string; readonly happening: Happening }[] = [];
  const seen = { clockMs: 0, deadlocks: 0 };

  async function showTime(): Promise<void> {
    if (seen.clockMs === time.nowMs) return;
    seen.clockMs = time.nowMs;
    await admin.query(`select setval('virtual.clock', $1)`, [Math.round(time.nowMs * 1000)]);
  }

  /** @param ms Infinity: until the process asks the same again */
  function arriveIn(ms: number, process: Process, text: string, happening: Happening): void {
    if (ms === Infinity) overtaken.push({ process, text, happening });
    else time.at(network, time.nowMs + ms, () => happenings.add(happening));
  }

  function deliver(process: Process, slow: boolean, what: string, answer: () => void): void {
    if (!slow && process.frozenUntilMs === 0) answer();
    else happenings.add({ process, what: `answer to ${what}`, atProcess: true, run: answer });
  }

  async function execute(line: Line, text: string, params: unknown[], course: Course, answer: Answer): Promise<void> {
    const { process } = line;
    const what = nameOf(text);
    if (course.delayMs > 0 && course.broken === null) {
      const arrive = () => execute(line, text, params, { ...course, delayMs: 0 }, answer);
      arriveIn(course.delayMs, process, text, { process, what: `${what}, delayed`, atProcess: false, run: arrive });
      return;
    }
    const commits = text === 'commit' && line.transaction === 'begun';
    if (course.broken === 'late' && !line.broken && (line.transaction === 'none' || commits)) {
      const orphan = lines.open(network);
      // The server has heard nothing of it: what waits for the transaction goes on waiting.
      if (commits) lines.handOver(line, orphan);
      await lines.break(line);
      deliver(process, course.slow, what, () => answer.failed(lost()));
      const unheard = { done: () => lines.release(orphan), failed: () => lines.release(orphan) };
      const arrive = () => execute(orphan, text, params, smooth, unheard);
      arriveIn(course.delayMs, process, text, {
        process: network,
        what: `${what}, late`,
        atProcess: false,
        run: arrive,
      });
      return;
    }
    if (line.broken || course.broken === 'before' || course.broken === 'late') {
      await lines.break(line);
      deliver(process, course.slow, what, () => answer.failed(lost()));
      return;
    }
    if (line.transaction !== 'begun' && (text === 'commit' || text === 'rollback')) {
      line.transaction = 'none';
      answer.done({ command: '', rowCount: 0, rows: [] });
      return;
    }
    await showTime();
    const physical = await lines.physicalOf(line);
    if (line.transaction === 'asked') {
      await physical.client.query('begin');
      line.transaction = 'begun';
    }
    line.quietSinceMs = null;
    const entry: { result: pg.QueryResult | null; error: unknown } = { result: null, error: null };
    const told = deps.rewrite(text);
    const arrived = deps.step();
    const over = physical.client
      .query<pg.QueryResultRow>({ name: statementName(told), text: told, values: params })
      .then(
        (result) => void (entry.result = result),
        (error: unknown) => void (entry.error = error),
      );
    const statement: UnderWay = {
      line,
      pid: physical.pid,
      done: false,
      over: over.then(() => void (statement.done = true)),
      answer: () => {
        line.quietSinceMs = time.nowMs;
        if (text === 'commit' || text === 'rollback') line.transaction = 'none';
        if (entry.error instanceof pg.DatabaseError && entry.error.code === '40P01') seen.deadlocks += 1;
        if (entry.result !== null) deps.observe({ text, params }, entry.result.rows, arrived);
        const { result } = entry;
        // Its process hears that the connection broke, below.
        if (course.broken === 'after') return;
        if (result === null) deliver(process, course.slow, what, () => answer.failed(entry.error));
        else if (!line.broken) deliver(process, course.slow, what, () => answer.done(result));
      },
    };
    await lines.begin(statement);
    if (course.broken === 'after') {
      await lines.break(line);
      deliver(process, course.slow, what, () => answer.failed(lost()));
    }
  }

  const ask = (line: Line, text: string, params: readonly unknown[]) =>
    new Promise<Answered>((done, failed) => {
      const { process } = line;
      for (const late of overtaken) if (late.process === process && late.text === text) happenings.add(late.happening);
      overtaken = overtaken.filter((late) => late.process !== process || late.text !== text);
      happenings.add({
        process,
        ...{ what: nameOf(text), params, atProcess: false },
        run: (course) => execute(line, text, [...params], course, { done, failed }),
      });
    });

  return {
    get deadlocks() {
      return seen.deadlocks;
    },
    open(process, poolSize) {
      const db = new Kysely<DB>({
        dialect: {
          createAdapter: () => new PostgresAdapter(),
          createDriver: () =>
            createDriver({ poolSize, newLine: () => lines.open(process), hangUpLine: lines.release, ask }),
          createIntrospector: (on) => new PostgresIntrospector(on),
          createQueryCompiler: () => new PostgresQueryCompiler(),
        },
      });
      return { db, pool: new NoNotifications({ max: 1 }), close: () => db.destroy() };
    },
    hangUp: lines.hangUp,
    close: () => lines.hangUp(network),
    async endIdleTransactions() {
      for (const line of lines.all) {
        if (line.transaction !== 'begun' || line.broken || line.quietSinceMs === null) continue;
        if (time.nowMs - line.quietSinceMs > idleInTransactionMs) await lines.break(line);
      }
      await lines.settle();
    },
  };
}

interface Answer {
  readonly done: (result: Answered) => void;
  readonly failed: (error: unknown) => void;
}

/** Statements are prepared, each once on a connection: planning would be most of a simulation's work. */
const statementName = (text: string): string => createHash('sha1').update(text).digest('hex');

/** The first words of a statement, for people. */
/** The beginning of a statement, without the comment that marks those that are prepared. */
const nameOf = (text: string): string => text.replace('-- prepared', '').replace(/\s+/g, ' ').trim().slice(0, 60);

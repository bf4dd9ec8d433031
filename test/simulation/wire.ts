import { createHash } from 'node:crypto';
import { Kysely, PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler } from 'kysely';
import pg from 'pg';
import type { Database } from '../../db/client.js';
import type { DB } from '../../db/types.js';
import { createDriver, type Answered, type DrivenLine } from './driver.js';
import { type Course, type Happening, type Happenings, smooth } from './happenings.js';
import type { Process, VirtualTime } from './time.js';

/** A connection to PostgreSQL, and the process there that serves it. */
export interface Physical {
  readonly client: pg.Client;
  readonly pid: number;
}

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
/** Longer than PostgreSQL needs to find a deadlock, as the simulation's database is set. */
const deadlockMs = 15;

interface Line extends DrivenLine {
  readonly process: Process;
  physical: Physical | null;
  broken: boolean;
  /** Since when the server has heard nothing on it; null while it works for it. */
  quietSinceMs: number | null;
}

interface Running {
  readonly line: Line;
  readonly pid: number;
  done: boolean;
  readonly over: Promise<void>;
  readonly answer: () => void;
}

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
  /** Connections that nobody uses; what the simulation opens is left here for the next one. */
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
  const { admin, idle, time, happenings } = deps;
  const lines: Line[] = [];
  /** Where statements are whose asker has given up. */
  const network: Process = { name: 'network', skewMs: 0, frozenUntilMs: 0, dead: false };
  let running: Running[] = [];
  /** What arrives when its process asks the same again. */
  let overtaken: { readonly process: Process; readonly text: string; readonly happening: Happening }[] = [];
  const seen = { clockMs: 0, deadlocks: 0 };

  function newLine(process: Process): Line {
    const line: Line = { process, physical: null, transaction: 'none', broken: false, quietSinceMs: null };
    lines.push(line);
    return line;
  }

  /** Nobody asks anything on it any more. */
  function hangUpLine(line: Line): void {
    lines.splice(lines.indexOf(line), 1);
    if (line.physical !== null) idle.push(line.physical);
    line.physical = null;
  }

  /** A transaction goes on, on a connection of which its process has heard that it is broken. */
  function handOver(from: Line, to: Line): void {
    Object.assign(to, { physical: from.physical, transaction: from.transaction, quietSinceMs: from.quietSinceMs });
    from.physical = null;
  }

  async function physicalOf(line: Line): Promise<Physical> {
    line.physical ??= idle.pop() ?? (await deps.connect());
    return line.physical;
  }

  /** The server notices that the connection is gone. */
  async function breakLine(line: Line): Promise<void> {
    line.broken = true;
    const { physical } = line;
    line.physical = null;
    if (physical === null) return;
    const waiting = running.find((other) => other.line === line);
    if (waiting !== undefined) {
      await admin.query('select pg_cancel_backend($1)', [waiting.pid]);
      await waiting.over;
      running = running.filter((other) => other !== waiting);
    }
    await physical.client.query('rollback');
    idle.push(physical);
  }

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
      const orphan = newLine(network);
      // The server has heard nothing of it: what waits for the transaction goes on waiting.
      if (commits) handOver(line, orphan);
      await breakLine(line);
      deliver(process, course.slow, what, () => answer.failed(lost()));
      const unheard = { done: () => hangUpLine(orphan), failed: () => hangUpLine(orphan) };
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
      await breakLine(line);
      deliver(process, course.slow, what, () => answer.failed(lost()));
      return;
    }
    if (line.transaction !== 'begun' && (text === 'commit' || text === 'rollback')) {
      line.transaction = 'none';
      answer.done({ command: '', rowCount: 0, rows: [] });
      return;
    }
    await showTime();
    const physical = await physicalOf(line);
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
    const statement: Running = {
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
    running.push(statement);
    await settleRunning();
    if (course.broken === 'after') {
      await breakLine(line);
      deliver(process, course.slow, what, () => answer.failed(lost()));
    }
  }

  /** Waits until every statement that has reached PostgreSQL is done, or waits for a lock of another. */
  async function settleRunning(): Promise<void> {
    while (running.length > 0) {
      await Promise.race([...running.map((statement) => statement.over), pause(deadlockMs)]);
      const done = running.filter((statement) => statement.done);
      if (done.length > 0) {
        running = running.filter((statement) => !statement.done);
        for (const statement of done) statement.answer();
        continue;
      }
      const { rows } = await admin.query<{ free: number }>(
        'select count(*)::integer as free from unnest($1::integer[]) as pid where cardinality(pg_blocking_pids(pid)) = 0',
        [running.map((statement) => statement.pid)],
      );
      if (rows[0]?.free === 0) return;
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

  async function hangUp(process: Process): Promise<void> {
    for (const line of lines.filter((other) => other.process === process)) {
      await breakLine(line);
      lines.splice(lines.indexOf(line), 1);
    }
    await settleRunning();
  }

  return {
    get deadlocks() {
      return seen.deadlocks;
    },
    open(process, poolSize) {
      const db = new Kysely<DB>({
        dialect: {
          createAdapter: () => new PostgresAdapter(),
          createDriver: () => createDriver({ poolSize, newLine: () => newLine(process), hangUpLine, ask }),
          createIntrospector: (on) => new PostgresIntrospector(on),
          createQueryCompiler: () => new PostgresQueryCompiler(),
        },
      });
      return { db, pool: new NoNotifications({ max: 1 }), close: () => db.destroy() };
    },
    hangUp,
    close: () => hangUp(network),
    async endIdleTransactions() {
      for (const line of lines) {
        if (line.transaction !== 'begun' || line.broken || line.quietSinceMs === null) continue;
        if (time.nowMs - line.quietSinceMs > idleInTransactionMs) await breakLine(line);
      }
      await settleRunning();
    },
  };
}

interface Answer {
  readonly done: (result: Answered) => void;
  readonly failed: (error: unknown) => void;
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Statements are prepared, each once on a connection: planning would be most of a simulation's work. */
const statementName = (text: string): string => createHash('sha1').update(text).digest('hex');

/** The first words of a statement, for people. */
const nameOf = (text: string): string => text.replace(/\s+/g, ' ').trim().slice(0, 60);

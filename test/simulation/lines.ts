import type pg from 'pg';
import type { DrivenLine } from './driver.js';
import type { Process } from './time.js';

/** A connection to PostgreSQL, and the process there that serves it. */
export interface Physical {
  readonly client: pg.Client;
  readonly pid: number;
}

/** A connection, as a simulated process has it. */
export interface Line extends DrivenLine {
  readonly process: Process;
  physical: Physical | null;
  broken: boolean;
  /** Since when the server has heard nothing on it; null while it works for it. */
  quietSinceMs: number | null;
}

/** A statement that has reached PostgreSQL and was not answered yet. */
export interface UnderWay {
  readonly line: Line;
  readonly pid: number;
  done: boolean;
  readonly over: Promise<void>;
  readonly answer: () => void;
}

/** Lines of all processes, and the statements that PostgreSQL works on. */
export interface Lines {
  readonly all: readonly Line[];
  open(process: Process): Line;
  /** Nothing is asked on it any more. */
  readonly release: (line: Line) => void;
  /** A transaction goes on, on a connection of which its process has heard that it is broken. */
  handOver(from: Line, to: Line): void;
  physicalOf(line: Line): Promise<Physical>;
  /** The server notices that the connection is gone. */
  break(line: Line): Promise<void>;
  /** What the server does when a process is gone: its transactions are rolled back. */
  readonly hangUp: (process: Process) => Promise<void>;
  /** A statement was sent: waits until every one is done, or waits for a lock of another. */
  begin(statement: UnderWay): Promise<void>;
  settle(): Promise<void>;
}

/** Longer than PostgreSQL needs to find a deadlock, as the simulation's database is set. */
const deadlockMs = 15;

export function createLines(deps: {
  readonly admin: pg.Client;
  /** Connections that are free; what a simulation opens is kept here for the next one. */
  readonly idle: Physical[];
  readonly connect: () => Promise<Physical>;
}): Lines {
  const { admin, idle } = deps;
  const all: Line[] = [];
  let underWay: UnderWay[] = [];

  async function breakLine(line: Line): Promise<void> {
    line.broken = true;
    const { physical } = line;
    line.physical = null;
    if (physical === null) return;
    const waiting = underWay.find((other) => other.line === line);
    if (waiting !== undefined) {
      await admin.query('select pg_cancel_backend($1)', [waiting.pid]);
      await waiting.over;
      underWay = underWay.filter((other) => other !== waiting);
    }
    await physical.client.query('rollback');
    idle.push(physical);
  }

  async function settle(): Promise<void> {
    while (underWay.length > 0) {
      await Promise.race([...underWay.map((statement) => statement.over), pause(deadlockMs)]);
      const done = underWay.filter((statement) => statement.done);
      if (done.length > 0) {
        underWay = underWay.filter((statement) => !statement.done);
        for (const statement of done) statement.answer();
        continue;
      }
      const { rows } = await admin.query<{ free: number }>(
        'select count(*)::integer as free from unnest($1::integer[]) as pid where cardinality(pg_blocking_pids(pid)) = 0',
        [underWay.map((statement) => statement.pid)],
      );
      if (rows[0]?.free === 0) return;
    }
  }

  return {
    all,
    settle,
    break: breakLine,
    open(process) {
      const line: Line = { process, physical: null, transaction: 'none', broken: false, quietSinceMs: null };
      all.push(line);
      return line;
    },
    release(line) {
      all.splice(all.indexOf(line), 1);
      if (line.physical !== null) idle.push(line.physical);
      line.physical = null;
    },
    handOver(from, to) {
      Object.assign(to, { physical: from.physical, transaction: from.transaction, quietSinceMs: from.quietSinceMs });
      from.physical = null;
    },
    async physicalOf(line) {
      line.physical ??= idle.pop() ?? (await deps.connect());
      return line.physical;
    },
    async hangUp(process) {
      for (const line of all.filter((other) => other.process === process)) {
        await breakLine(line);
        all.splice(all.indexOf(line), 1);
      }
      await settle();
    },
    begin(statement) {
      underWay.push(statement);
      return settle();
    },
  };
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

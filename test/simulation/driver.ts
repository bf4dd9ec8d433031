import type { CompiledQuery, DatabaseConnection, Driver, QueryResult } from 'kysely';
import type pg from 'pg';

export type Answered = Pick<pg.QueryResult, 'command' | 'rowCount' | 'rows'>;

/** One connection, as a process has it. */
export interface DrivenLine {
  /** `asked`: it begins with the next statement. */
  transaction: 'none' | 'asked' | 'begun';
}

/** Kysely's driver over a pool of lines: each statement is asked on one of them. */
export function createDriver<L extends DrivenLine>(deps: {
  readonly poolSize: number;
  readonly newLine: () => L;
  readonly hangUpLine: (line: L) => void;
  readonly ask: (line: L, text: string, params: readonly unknown[]) => Promise<Answered>;
}): Driver {
  const pool = { open: 0, waiting: [] as (() => void)[] };
  const of = new Map<DatabaseConnection, L>();
  const onLine = async (connection: DatabaseConnection, text: string) => {
    const line = of.get(connection);
    if (line !== undefined) await deps.ask(line, text, []);
  };
  return {
    init: () => Promise.resolve(),
    async acquireConnection() {
      if (pool.open >= deps.poolSize) await new Promise<void>((resolve) => pool.waiting.push(resolve));
      else pool.open += 1;
      const line = deps.newLine();
      const connection: DatabaseConnection = {
        async executeQuery<R>({ sql, parameters }: CompiledQuery): Promise<QueryResult<R>> {
          const { command, rowCount, rows } = await deps.ask(line, sql, parameters);
          const changes = ['INSERT', 'UPDATE', 'DELETE', 'MERGE'].includes(command);
          return changes ? { rows, numAffectedRows: BigInt(rowCount ?? 0) } : { rows };
        },
        streamQuery() {
          throw new Error('dialers stream nothing');
        },
      };
      of.set(connection, line);
      return connection;
    },
    beginTransaction(connection) {
      const line = of.get(connection);
      if (line !== undefined) line.transaction = 'asked';
      return Promise.resolve();
    },
    commitTransaction: (connection) => onLine(connection, 'commit'),
    rollbackTransaction: (connection) => onLine(connection, 'rollback'),
    releaseConnection(connection) {
      const line = of.get(connection);
      of.delete(connection);
      if (line === undefined) return Promise.resolve();
      deps.hangUpLine(line);
      const next = pool.waiting.shift();
      if (next === undefined) pool.open -= 1;
      else next();
      return Promise.resolve();
    },
    destroy: () => Promise.resolve(),
  };
}

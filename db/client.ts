import { Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import { hasLimits, type OperatorLimits } from '../domain/account/operator-limits.js';
import { preparing } from './prepared-statements.js';
import { giveUpWhenSilent } from './silent-connection.js';
import type { DB } from './types.js';

/** The pool itself or a transaction on it; every query function takes one. */
export type Db = Kysely<DB>;

export interface Database {
  readonly db: Db;
  /** The same connections, for COPY, LISTEN and statements whose text is the algorithm. */
  readonly pool: pg.Pool;
  close(): Promise<void>;
}

export interface DatabaseOptions {
  readonly url: string;
  /** Most connections of this process. */
  readonly poolSize: number;
  /** The process's `application_name` in pg_stat_activity. */
  readonly name: string;
  /**
   * Statements that run longer are ended by the server; omitted: none. A server that does not even say so soon after is given up, with
   * the connection: see `giveUpWhenSilent`.
   */
  readonly statementTimeoutMs?: number;
  /** How much longer the server may be silent than a statement may take; omitted: 10 s. */
  readonly silentForMs?: number;
  /** The operator's limits; statements that judge calls read them from their connection. Omitted: no limits. */
  readonly operatorLimits?: OperatorLimits;
  /**
   * Tables are read by an index if there is one, however small they are, and a prepared statement has one plan. For a process whose
   * statements are prepared: their plans may be made while a table is nearly empty, and used when it is not.
   */
  readonly byIndex?: boolean;
  /** Called for connections that broke while idle; the pool replaces them. */
  readonly onIdleError?: (error: Error) => void;
}

/**
 * A process that is stopped in the middle of a transaction must not hold its locks until it wakes: the server ends the
 * transaction, and what it was about is done again.
 */
const idleInTransactionMs = 10_000;

/** A connection is made by then, or there is none. */
export const connectsWithinMs = 10_000;

/** A server that has ended a statement because of its time says so within this time, also one that has much to do. */
const silentForMs = 10_000;

/** A connection on which nothing passes, such as one that listens, is asked after this time whether its other end is still there. */
const keepAliveAfterMs = 15_000;

/**
 * The driver verifies the server's certificate for each of these modes, and warns at length that a later one may not. Here it is
 * always verified: what the URL asks for is said by its name.
 */
const withVerifiedServer = (url: string): string =>
  /[?&]uselibpqcompat=true(?:&|$)/.test(url)
    ? url
    : url.replace(/([?&]sslmode=)(?:prefer|require|verify-ca)(?=&|$)/, '$1verify-full');

/**
 * The URL, with the settings that every connection begins with, the operator's limits among them. A backslash keeps what
 * follows from separating words; settings that the URL has already stay.
 */
function connectionString({ url: given, operatorLimits, byIndex = false }: DatabaseOptions): string {
  const url = withVerifiedServer(given);
  const settings = [
    ...(byIndex ? ['-c enable_seqscan=off', '-c plan_cache_mode=force_generic_plan'] : []),
    ...(operatorLimits !== undefined && hasLimits(operatorLimits)
      ? [`-c outdial.operator_limits=${JSON.stringify(operatorLimits).replace(/[\\\s]/g, '\\$&')}`]
      : []),
  ];
  if (settings.length === 0) return url;
  const [base = '', query = ''] = url.split('?', 2);
  const parameters = new URLSearchParams(query);
  parameters.set('options', [parameters.get('options'), ...settings].filter((part) => part !== null).join(' '));
  return `${base}?${parameters.toString().replaceAll('+', '%20')}`;
}

/** Opens a pool of connections; nothing is connected before the first query. */
export function openDatabase(options: DatabaseOptions): Database {
  const { statementTimeoutMs } = options;
  const pool = new pg.Pool({
    connectionString: connectionString(options),
    max: options.poolSize,
    application_name: `outdial-${options.name}`,
    connectionTimeoutMillis: connectsWithinMs,
    keepAlive: true,
    keepAliveInitialDelayMillis: keepAliveAfterMs,
    idle_in_transaction_session_timeout: idleInTransactionMs,
    ...(statementTimeoutMs === undefined ? {} : { statement_timeout: statementTimeoutMs }),
  });
  pool.on('error', (error) => options.onIdleError?.(error));
  // A connection that breaks while it is in use fails its next statement; without a listener it would end the process, too.
  pool.on('connect', (client) => client.on('error', () => undefined));
  if (statementTimeoutMs !== undefined) {
    const silentMs = statementTimeoutMs + (options.silentForMs ?? silentForMs);
    pool.on('connect', (client) => giveUpWhenSilent(client, silentMs));
  }
  const db = new Kysely<DB>({ dialect: new PostgresDialect({ pool: preparing(pool) }) });
  return {
    db,
    pool,
    close: async () => {
      await db.destroy();
      // Kysely ends the pool only if it has used it itself.
      if (!pool.ended) await pool.end();
    },
  };
}

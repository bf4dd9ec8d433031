import { join } from 'node:path';
import { type Database, openDatabase } from '../../db/client.js';
import { schemaIsCurrent } from '../../db/migrate.js';
import { lockData } from '../../embedded/data-lock.js';
import { embeddedPostgresUrl, startPostgres } from '../../embedded/postgres.js';
import { endLeftovers } from '../../embedded/process-list.js';
import { type Env, readEnv } from '../../platform/env.js';
import { createSecretBox, type SecretBox } from '../../platform/secret-box.js';
import { isGiven, keysInUse } from '../up/encryption-key.js';
import { databasePlace, noDatabaseWords } from './database-words.js';
import { findPlace, type Place } from './place.js';

export interface Opened {
  readonly env: Env;
  readonly database: Database;
  /** Whether the Temporal that the settings name is the one of this database. */
  readonly temporalBelongs: boolean;
  /** Opened on first use: commands that touch no secret need no keys. */
  readonly secretBox: () => SecretBox;
}

/** SQLSTATE insufficient_privilege. */
const isDenied = (error: unknown): error is Error =>
  error instanceof Error && 'code' in error && error.code === '42501';

const ownersOnly =
  'OUTDIAL_DATABASE_URL names the role of the service, which cannot change what the operator decides. Run this command ' +
  'with the URL that `outdial migrate` has; with docker-compose.yml: docker compose run --rm operator <command>.';

/** The right is lacked for the schema, which only the owner of the tables changes. */
const noOwner = ({ message }: Error): string =>
  `PostgreSQL refuses to change the schema: ${message}. OUTDIAL_DATABASE_URL has to name the owner of the tables.`;

/** Options of every command on a database. */
export interface DataFlag {
  readonly data?: string;
}

export const dataOption = [
  '--data <folder>',
  'data folder of the `outdial up` to work on (default: OUTDIAL_DATABASE_URL, else OUTDIAL_DATA, else the one that runs here)',
] as const;

/** To standard error: standard output is the command's answer, which programs read. */
const say = (line: string): void => console.error(`outdial: ${line}`);

/**
 * Runs one command of the operator on a database and closes it: the configured one, else that of `outdial up`, which is
 * found and printed. See findPlace.
 * @param allowOldSchema the command brings the schema up to date
 */
export async function withDatabase<T>(
  { data }: DataFlag,
  command: (opened: Opened) => Promise<T>,
  { allowOldSchema = false }: { readonly allowOldSchema?: boolean } = {},
): Promise<T> {
  const place = await findPlace(data, process.env, say);
  if (place.kind === 'configured') return onDatabase(readEnv(), whatToConfigure(), command, allowOldSchema);
  const run = async (settings: Readonly<Record<string, string>>, whatToDo: string): Promise<T> => {
    const env = readEnv({ ...process.env, ...settings });
    return onDatabase(env, `Its log is in ${join(place.folder, 'logs')}.`, async (opened) => {
      if (!allowOldSchema && !(await schemaIsCurrent(opened.database.pool))) {
        throw new Error(`The database in ${place.folder} was made by another version of Outdial: ${whatToDo}.`);
      }
      const temporalBelongs = place.kind === 'running' || isGiven(process.env.TEMPORAL_ADDRESS);
      return command({ ...opened, temporalBelongs, secretBox: () => createSecretBox(keysOf(place).split(',')) });
    });
  };
  if (place.kind === 'running') {
    say(`works on the service that runs on ${place.folder} (process ${place.pid}).`);
    const url = embeddedPostgresUrl(join(place.folder, 'postgres'), place.ready.postgresPort);
    const settings = { OUTDIAL_DATABASE_URL: url, TEMPORAL_ADDRESS: place.ready.temporalAddress };
    return run(settings, 'stop the service and start it again');
  }
  return onStopped(place.folder, (url) =>
    run({ OUTDIAL_DATABASE_URL: url }, '`outdial migrate` or `outdial up` brings it up to date'),
  );
}

/**
 * @param whatToDo if no database answers
 * @param changesSchema what may be denied is a change of the schema
 */
async function onDatabase<T>(
  env: Env,
  whatToDo: string,
  command: (opened: Opened) => Promise<T>,
  changesSchema = false,
): Promise<T> {
  const database = openDatabase({ url: env.OUTDIAL_DATABASE_URL, poolSize: 2, name: 'cli' });
  try {
    const secretBox = () => createSecretBox(env.OUTDIAL_ENCRYPTION_KEYS);
    return await command({ env, database, temporalBelongs: true, secretBox });
  } catch (error) {
    if (isDenied(error)) throw new Error(changesSchema ? noOwner(error) : ownersOnly, { cause: error });
    const words = noDatabaseWords(error);
    if (words === undefined) throw error;
    const where = databasePlace(env.OUTDIAL_DATABASE_URL);
    throw new Error(`PostgreSQL at ${where} cannot be asked: ${words}. ${whatToDo}`, { cause: error });
  } finally {
    await database.close();
  }
}

/** Starts the folder's own PostgreSQL for as long as the command takes; no other process can start on the folder meanwhile. */
async function onStopped<T>(folder: string, command: (url: string) => Promise<T>): Promise<T> {
  say(`nothing runs on ${folder}; its PostgreSQL is started for this command.`);
  const lock = lockData(folder);
  try {
    await endLeftovers(join(folder, 'processes.json'));
    const logFile = join(folder, 'logs', 'postgres.log');
    const server = await startPostgres({ folder: join(folder, 'postgres'), logFile });
    try {
      return await command(server.url);
    } finally {
      await server.stop();
    }
  } finally {
    lock.release();
  }
}

const keysOf = (place: Exclude<Place, { kind: 'configured' }>): string => {
  const of = place.kind === 'running' ? place.ready.encryptionKeys : undefined;
  return keysInUse(place.folder, of, process.env.OUTDIAL_ENCRYPTION_KEYS);
};

const whatToConfigure = (): string =>
  isGiven(process.env.OUTDIAL_DATABASE_URL)
    ? 'See that it runs and that OUTDIAL_DATABASE_URL names it.'
    : 'No `outdial up` runs on this machine and there is no .outdial here. Start `outdial up`, name its data folder with ' +
      '--data, or set OUTDIAL_DATABASE_URL.';

/** Prints a command's answer: one JSON value, or lines for a person. That there are none is no line of the answer. */
export function answer(json: boolean | undefined, value: unknown, lines: readonly string[]): void {
  if (json === true) console.log(JSON.stringify(value));
  else if (lines.length > 0) console.log(lines.join('\n'));
  else console.error('There is nothing to show.');
}

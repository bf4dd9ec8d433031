import { type Database, openDatabase } from '../../db/client.js';
import { type Env, readEnv } from '../../platform/env.js';
import { createSecretBox, type SecretBox } from '../../platform/secret-box.js';

export interface Opened {
  readonly env: Env;
  readonly database: Database;
  /** Opened on first use: commands that touch no secret need no keys. */
  readonly secretBox: () => SecretBox;
}

/** Runs one command of the operator on the configured database and closes it. */
export async function withDatabase<T>(command: (opened: Opened) => Promise<T>): Promise<T> {
  const env = readEnv();
  const database = openDatabase({ url: env.OUTDIAL_DATABASE_URL, poolSize: 2, name: 'cli' });
  try {
    return await command({ env, database, secretBox: () => createSecretBox(env.OUTDIAL_ENCRYPTION_KEYS) });
  } finally {
    await database.close();
  }
}

/** What a command says: one JSON value, or lines for a person. */
export function answer(json: boolean | undefined, value: unknown, lines: readonly string[]): void {
  console.log(json === true ? JSON.stringify(value) : lines.join('\n'));
}

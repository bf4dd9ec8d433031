import { connectsWithinMs } from '../../db/client.js';
import { connectionWords } from '../../domain/connection-words.js';

/** Host and port that a database's URL names, not its password. */
export function databasePlace(url: string): string {
  const { hostname, port, searchParams } = new URL(url);
  // A socket of this machine is named by its folder.
  const host = hostname === '' ? (searchParams.get('host') ?? 'localhost') : hostname;
  return `${decodeURIComponent(host)}:${port === '' ? '5432' : port}`;
}

/** Why the database could not be asked at all; undefined if it was, and answered with an error. */
export const noDatabaseWords = (error: unknown): string | undefined => connectionWords(error, connectsWithinMs);

import { connectsWithinMs } from '../../db/client.js';
import { ownConnectionWords } from '../../domain/connection-words.js';

/** Host and port that a database's URL names, not its password. */
export function databasePlace(url: string): string {
  // A socket of this machine is named by its folder. A user without a host is no URL to URL(), but is one to the driver.
  if (url.startsWith('/')) return url.replace(/ .*/, '');
  const { hostname, port, searchParams } = new URL(url.replace('@/', '@localhost/'));
  const host = searchParams.get('host') ?? (hostname === '' ? 'localhost' : hostname);
  return `${decodeURIComponent(host)}:${port === '' ? '5432' : port}`;
}

/**
 * Why the database could not be asked at all; undefined if it was, and answered with an error, or if a command failed for want of
 * something else, such as Temporal, whose error is then the cause of its own.
 */
export const noDatabaseWords = (error: unknown): string | undefined => ownConnectionWords(error, connectsWithinMs);

import { openDatabase } from '../../db/client.js';
import { clocksOfZones } from '../../db/queries/upkeep/clocks-of-zones.js';
import { learnClocks } from '../../domain/call/time-zone.js';
import type { Logger } from '../../platform/logger.js';

const againMs = 86_400_000;
const soonAgainMs = 5_000;
const answersWithinMs = 20_000;

/**
 * Has this process judge hours by PostgreSQL's clocks, too, and learn them again each day. Resolves once they are learnt, or the
 * database does not answer: then it is asked again soon.
 *
 * Over a connection of its own, because PostgreSQL keeps every time zone that was asked for in the memory of the connection.
 */
export async function followClocks(url: string, logger: Logger): Promise<void> {
  const database = openDatabase({ url, poolSize: 1, name: 'clocks', statementTimeoutMs: answersWithinMs });
  let nextMs = againMs;
  try {
    const { zones, untilMs } = await clocksOfZones(database.db, new Date());
    learnClocks(zones, untilMs);
  } catch (error) {
    logger.warn({ err: error }, 'the clocks of time zones cannot be read from the database; trying again');
    nextMs = soonAgainMs;
  } finally {
    await database.close();
  }
  setTimeout(() => void followClocks(url, logger), nextMs).unref();
}

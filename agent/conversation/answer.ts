import { setTimeout as pause } from 'node:timers/promises';
import type { Db } from '../../db/client.js';
import { type AgentLeg, answeredAtOf } from '../../db/queries/calls/conversation.js';
import type { Logger } from '../../platform/logger.js';
import type { Callee } from './callee.js';

/** Waits before each look: the dialer stores the answer within milliseconds, and a database that is away may come back. */
const looksAfterMs = [0, 100, 200, 400, 800, 1_600];

/**
 * The instant at which the callee picked up: when the carrier's 200 reached LiveKit, which the dialer knows to a few
 * milliseconds. This process may notice it much later, being busy, or not in the room yet.
 *
 * @param leg null: nobody dialed it (playground), so the callee's coming is the answer
 * @param known what was stored before this agent came
 * @returns null if the call was over before it was answered. Never rejects: if nothing is stored in time, it is when it was noticed
 */
export async function instantOfAnswer(options: {
  readonly callee: Callee;
  readonly leg: AgentLeg | null;
  readonly known: Date | null;
  readonly db: Db;
  readonly logger: Logger;
}): Promise<Date | null> {
  const { callee, leg, known, db, logger } = options;
  if (!(await callee.answered)) return null;
  const noticed = new Date();
  const stored = known ?? (leg === null ? null : await storedAnswer(db, leg, logger));
  return stored !== null && stored < noticed ? stored : noticed;
}

async function storedAnswer(db: Db, leg: AgentLeg, logger: Logger): Promise<Date | null> {
  for (const afterMs of looksAfterMs) {
    await pause(afterMs, undefined, { ref: false });
    try {
      const at = await answeredAtOf(db, leg);
      if (at !== null) return at;
    } catch (error) {
      logger.warn({ err: error }, 'the instant of the answer could not be read; trying again');
    }
  }
  logger.warn('no instant of the answer is stored: times count from when the agent noticed it');
  return null;
}

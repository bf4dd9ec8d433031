import type { Db } from '../db/client.js';
import { inboundLineRows, lockMirror } from '../db/queries/telephony/inbound-lines.js';
import type { InboundLine } from '../domain/call/inbound-line.js';
import { inboundLineOf } from './inbound-lines.js';
import type { ActivityDeps } from './deps.js';

/** What a round of the mirror found and did; numbers are counted, never named. */
export interface MirrorRound {
  /** Numbers that calls are taken for. */
  readonly lines: number;
  /** Numbers that have an inbound rule, and whose calls are not taken because of what gateway and rule allow. */
  readonly obstructed: number;
  readonly changed: number;
  readonly deleted: number;
  readonly refused: number;
}

const nothing: MirrorRound = { lines: 0, obstructed: 0, changed: 0, deleted: 0, refused: 0 };

/**
 * One round: tells LiveKit which inbound numbers there are, and what of them has changed. Two rounds never run at once, so
 * that an older one cannot undo what a newer one has done.
 *
 * @throws where another round is under way, or a LiveKit cannot be asked; tried again by Temporal
 */
export async function mirrorInbound(
  db: Db,
  { secretBox, logger, inbound }: Pick<ActivityDeps, 'secretBox' | 'logger' | 'inbound'>,
): Promise<MirrorRound> {
  // With the carrier simulator nobody calls in.
  if (inbound === undefined) return nothing;
  return db.transaction().execute(async (tx) => {
    if (!(await lockMirror(tx))) throw new Error('Another round of the mirror is under way.');
    const lines: InboundLine[] = [];
    let obstructed = 0;
    for (const row of await inboundLineRows(tx)) {
      const line = inboundLineOf(row, (sealed, place) => secretBox.open(sealed, place));
      if (typeof line === 'string') {
        obstructed += 1;
        const { ruleId, gatewayId } = row;
        logger.warn({ ruleId, gatewayId, obstacle: line }, 'calls to a number are not taken: who may call is not said');
      } else lines.push(line);
    }
    const { changed, deleted, refused } = await inbound.mirror(lines);
    for (const { words } of refused) logger.warn({ words }, 'LiveKit does not take a number');
    if (changed + deleted > 0) logger.info({ changed, deleted }, 'inbound numbers were mirrored');
    return { lines: lines.length, obstructed, changed, deleted, refused: refused.length };
  });
}

export const inboundActivities = (deps: ActivityDeps) => ({
  mirrorInbound: (): Promise<MirrorRound> => mirrorInbound(deps.database.db, deps),
});

import type { Db } from '../db/client.js';
import { inboundLineRows, lockMirror } from '../db/queries/telephony/inbound-lines.js';
import type { InboundLine } from '../domain/call/inbound-line.js';
import { inboundLineOf } from './inbound-lines.js';
import type { ActivityDeps } from './deps.js';

/** The result of a round of the mirror; numbers are counted, never named. */
export interface MirrorRound {
  /** Numbers whose calls are taken. */
  readonly lines: number;
  /** Numbers that have an inbound rule, but whose calls are refused because of what gateway and rule allow. */
  readonly obstructed: number;
  readonly changed: number;
  readonly deleted: number;
  readonly refused: number;
}

const nothing: MirrorRound = { lines: 0, obstructed: 0, changed: 0, deleted: 0, refused: 0 };

/**
 * One round: makes LiveKit know exactly our inbound numbers. Two rounds never run at once, so that an older one cannot undo
 * what a newer one has done.
 *
 * @throws if another round is under way, or a LiveKit cannot be asked; Temporal tries again
 */
export async function mirrorInbound(
  db: Db,
  { secretBox, logger, inbound }: Pick<ActivityDeps, 'secretBox' | 'logger' | 'inbound'>,
): Promise<MirrorRound> {
  // The carrier simulator makes no inbound calls.
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
        logger.warn(
          { ruleId, gatewayId, obstacle: line },
          'calls to an inbound number are refused: its gateway and rule name no allowed caller',
        );
      } else lines.push(line);
    }
    const { changed, deleted, refused } = await inbound.mirror(lines);
    for (const { words } of refused) logger.warn({ words }, 'LiveKit refuses an inbound number');
    if (changed + deleted > 0) logger.info({ changed, deleted }, 'LiveKit was told which inbound numbers there are');
    return { lines: lines.length, obstructed, changed, deleted, refused: refused.length };
  });
}

export const inboundActivities = (deps: ActivityDeps) => ({
  mirrorInbound: (): Promise<MirrorRound> => mirrorInbound(deps.database.db, deps),
});

import type { Db } from '../db/client.js';
import { type InboundLineRow, inboundLineRows, lockMirror } from '../db/queries/telephony/inbound-lines.js';
import type { InboundLine, InboundObstacle } from '../domain/call/inbound-line.js';
import { inboundLineOf } from './inbound-lines.js';
import type { ActivityDeps } from './deps.js';
import { withoutNumbers } from '../platform/error-fields.js';

/** The result of a round of the mirror; numbers are counted, never named. */
export interface MirrorRound {
  /** Numbers whose calls are taken. */
  readonly lines: number;
  /** Numbers that have an inbound rule, but whose calls are refused because of what gateway and rule allow. */
  readonly obstructed: number;
  /** Numbers that stay at LiveKit as they are, because a secret of their gateway or rule cannot be opened. */
  readonly unreadable: number;
  readonly changed: number;
  readonly deleted: number;
  readonly refused: number;
}

const nothing: MirrorRound = { lines: 0, obstructed: 0, unreadable: 0, changed: 0, deleted: 0, refused: 0 };

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
    const unreadable: string[] = [];
    let obstructed = 0;
    for (const row of await inboundLineRows(tx)) {
      const line = readLine(row, { secretBox, logger });
      if (line === 'unreadable') unreadable.push(row.number);
      else if (typeof line === 'string') {
        obstructed += 1;
        const { accountId, ruleId, gatewayId } = row;
        logger.warn(
          { accountId, ruleId, gatewayId, obstacle: line },
          'calls to an inbound number are refused: its gateway and rule name no allowed caller',
        );
      } else lines.push(line);
    }
    const { changed, deleted, refused } = await inbound.mirror(lines, unreadable);
    for (const { words } of refused) logger.warn({ words: withoutNumbers(words) }, 'LiveKit refuses an inbound number');
    if (changed + deleted > 0) logger.info({ changed, deleted }, 'LiveKit was told which inbound numbers there are');
    const counts = { lines: lines.length, obstructed, unreadable: unreadable.length };
    return { ...counts, changed, deleted, refused: refused.length };
  });
}

/** The line of a row. One whose secret is damaged, or sealed with a missing key, must not stop those of other accounts. */
function readLine(
  row: InboundLineRow,
  { secretBox, logger }: Pick<ActivityDeps, 'secretBox' | 'logger'>,
): InboundLine | InboundObstacle | 'unreadable' {
  try {
    return inboundLineOf(row, (sealed, place) => secretBox.open(sealed, place));
  } catch (error) {
    const { accountId, ruleId, gatewayId } = row;
    logger.error(
      { err: error, accountId, ruleId, gatewayId },
      'an inbound number stays at LiveKit as it is: its gateway or rule cannot be read',
    );
    return 'unreadable';
  }
}

export const inboundActivities = (deps: ActivityDeps) => ({
  mirrorInbound: (): Promise<MirrorRound> => mirrorInbound(deps.database.db, deps),
});

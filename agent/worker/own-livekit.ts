import type { Db } from '../../db/client.js';
import { databaseIdentity } from '../../db/queries/upkeep/database-identity.js';
import { isLiveKitClaimed } from '../../db/queries/upkeep/livekit-claims.js';
import type { LiveKitSetting } from '../../platform/livekit.js';
import type { Logger } from '../../platform/logger.js';
import { foreignLiveKit, ownerOf } from '../../telephony/livekit/owner.js';

/** What is known of the LiveKit that a worker takes calls from. */
export interface LiveKitWatch {
  /** Whether it is the one that the dialers of this database use, for all that is known. False until it was asked once. */
  readonly isOurs: boolean;
  /** How often it has been asked. */
  readonly looks: number;
  stop(): void;
}

const everyMs = 20_000;
/** A LiveKit that has just been started is claimed within a minute: its dialers may be late twice. */
const forgivenMs = 150_000;

/**
 * Watches whether the dialers of this database have claimed the LiveKit that a worker is registered with. At another one no call of
 * theirs would find the worker, and its slots would have callees called who meet no agent. One that cannot be asked is taken for ours.
 *
 * @param changed called when `isOurs` has changed
 */
export function watchLiveKit(
  {
    region,
    db,
    logger,
    changed,
  }: { readonly region: LiveKitSetting; readonly db: Db; readonly logger: Logger; readonly changed: () => void },
  timing: { readonly everyMs: number; readonly forgivenMs: number } = { everyMs, forgivenMs },
): LiveKitWatch {
  let databaseId: string | null = null;
  let isOurs = false;
  let looks = 0;
  let claimSeenMs: number | null = null;
  let said: string | null = null;

  /** @returns why it is not ours; null: it is */
  async function objection(): Promise<string | null> {
    databaseId ??= await databaseIdentity(db);
    const owner = await ownerOf(region);
    if (owner === databaseId) {
      claimSeenMs = Date.now();
      return null;
    }
    if (owner !== null) return foreignLiveKit(region, owner);
    if (claimSeenMs !== null && Date.now() - claimSeenMs < timing.forgivenMs) return null;
    if (!(await isLiveKitClaimed(db, region.name))) return null;
    return (
      `The dialers have another LiveKit for the region ${region.name} than this agent worker, which is at ${new URL(region.url).host}: ` +
      'no call would find it. Set OUTDIAL_LIVEKIT_URL and OUTDIAL_LIVEKIT_REGIONS to the same for both.'
    );
  }

  async function look(): Promise<void> {
    let words: string | null;
    try {
      words = await objection();
    } catch (error) {
      logger.warn({ err: error }, 'it could not be asked whose LiveKit this worker takes calls from');
      words = said;
    }
    if (words !== null && words !== said) logger.error(words);
    said = words;
    const before = isOurs;
    isOurs = words === null;
    looks += 1;
    if (isOurs !== before) changed();
  }

  let looking: Promise<void> | undefined;
  const begin = (): void => {
    looking ??= look().finally(() => (looking = undefined));
  };
  begin();
  const timer = setInterval(begin, timing.everyMs);
  return {
    get isOurs() {
      return isOurs;
    },
    get looks() {
      return looks;
    },
    stop: () => clearInterval(timer),
  };
}

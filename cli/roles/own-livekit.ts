import type { Db } from '../../db/client.js';
import { databaseIdentity } from '../../db/queries/upkeep/database-identity.js';
import { noteLiveKitClaim } from '../../db/queries/upkeep/livekit-claims.js';
import type { Logger } from '../../platform/logger.js';
import { claimLiveKit, foreignLiveKit } from '../../telephony/livekit/owner.js';
import { type LiveKitRegion, regionFor } from '../../telephony/livekit/regions.js';
import { type CallProvider, ProviderUnreachable } from '../../telephony/provider.js';

const everyMs = 60_000;

export interface OwnLiveKits {
  /** Why calls are held back, for an operator; null if every LiveKit is this service's, for all that is known. */
  trouble(): string | null;
  /** The provider, which makes no call ready in a region whose LiveKit another service has. */
  guard(provider: CallProvider): CallProvider;
  close(): Promise<void>;
}

/**
 * Claims the LiveKits of all regions for the service of this database, again and again. One that cannot be asked is taken for its own.
 *
 * @throws if another service has one: callees of both would hear no agent
 */
export async function keepLiveKits(
  { regions, db, logger }: { readonly regions: readonly LiveKitRegion[]; readonly db: Db; readonly logger: Logger },
  timing: { readonly everyMs: number } = { everyMs },
): Promise<OwnLiveKits> {
  const foreign = new Map<string, string>();
  let databaseId: string | null = null;

  async function claim(region: LiveKitRegion): Promise<void> {
    try {
      databaseId ??= await databaseIdentity(db);
      const other = await claimLiveKit(region, databaseId);
      if (other === null) {
        foreign.delete(region.name);
        await noteLiveKitClaim(db, region.name);
      } else foreign.set(region.name, foreignLiveKit(region, other));
    } catch (error) {
      logger.warn(
        { err: error, region: region.name },
        'it could not be asked whether another service has this LiveKit',
      );
    }
  }
  const claimAll = async (): Promise<void> => {
    await Promise.all(regions.map(claim));
  };
  const trouble = (): string | null => [...foreign.values()][0] ?? null;

  await claimAll();
  const refusal = trouble();
  if (refusal !== null) throw new Error(refusal);

  let round: Promise<void> | undefined;
  const timer = setInterval(() => {
    round ??= claimAll().finally(() => {
      round = undefined;
      for (const words of foreign.values()) logger.error(words);
    });
  }, timing.everyMs);
  return {
    trouble,
    guard: (provider) => ({
      ...provider,
      async prepare(order) {
        const words = foreign.get(regionFor(order.gateway.region, regions).name);
        if (words !== undefined) throw new ProviderUnreachable(words, { unsent: 'provider_of_another_service' });
        await provider.prepare(order);
      },
    }),
    async close() {
      clearInterval(timer);
      await round;
    },
  };
}

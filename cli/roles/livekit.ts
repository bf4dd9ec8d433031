import { agentSlots } from '../../db/queries/dialer/agent-slots.js';
import { legChannel, storedLeg } from '../../db/queries/dialer/disconnects.js';
import type { Database } from '../../db/client.js';
import { listen } from '../../dialer/listen.js';
import type { Logger } from '../../platform/logger.js';
import { createLiveKitProvider, type LiveKitProviderOptions } from '../../telephony/livekit/driver.js';
import type { AgentSlots, LegRecords } from '../../telephony/livekit/records.js';
import type { LiveKitRegion } from '../../telephony/livekit/regions.js';
import type { CallProvider } from '../../telephony/provider.js';

const nothing = { ringingAt: null, answeredAt: null, hangUpReason: null, disconnect: null };

/** The driver's records, from the database. Events of rooms come from the route of LiveKit's webhooks. */
function recordsIn({ db, pool }: Database, logger: Logger): LegRecords & { close(): Promise<void> } {
  const listeners = new Map<string, Set<() => void>>();
  const stopListening = listen(
    pool,
    {
      [legChannel]: (room) => {
        const woken = room === '' ? [...listeners.values()] : [listeners.get(room) ?? new Set<() => void>()];
        for (const wakes of woken) for (const wake of wakes) wake();
      },
    },
    logger,
  );
  return {
    of: async (ref) => (await storedLeg(db, ref)) ?? nothing,
    onRoomEvent(room, wake) {
      const wakes = listeners.get(room) ?? new Set();
      listeners.set(room, wakes.add(wake));
      return () => {
        wakes.delete(wake);
        if (wakes.size === 0 && listeners.get(room) === wakes) listeners.delete(room);
      };
    },
    close: stopListening,
  };
}

/** @param regions the first is the one that `auto` means */
const slotsIn = ({ db }: Database, regions: readonly LiveKitRegion[]): AgentSlots => ({
  async reserve(order, region) {
    const names = regions[0]?.name === region ? [region, 'auto'] : [region];
    const { slots, wanted } = await agentSlots(db, order, region, names);
    if (wanted > slots) {
      throw new Error(
        slots === 0
          ? `no agent worker of the region ${region} is ready`
          : `all ${slots} slots of the agent workers of the region ${region} are taken`,
      );
    }
  },
});

/** The driver of LiveKit, connected to the database. */
export function openLiveKit(
  regions: readonly LiveKitRegion[],
  database: Database,
  logger: Logger,
  { judgeTrunk }: Pick<LiveKitProviderOptions, 'judgeTrunk'> = {},
): CallProvider {
  const records = recordsIn(database, logger);
  const judging = judgeTrunk === undefined ? {} : { judgeTrunk };
  const provider = createLiveKitProvider({ regions, records, agents: slotsIn(database, regions), ...judging });
  return {
    ...provider,
    async close() {
      await provider.close();
      await records.close();
    },
  };
}

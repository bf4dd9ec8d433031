import type { Db } from '../db/client.js';
import { slotsOfRegions } from '../db/queries/dialer/agent-slots.js';
import type { Logger } from '../platform/logger.js';
import type { DialerMetrics } from './metrics.js';

/**
 * Counts the agents of each region for the metrics. The log says once that a region has none, and once that it has some
 * again.
 *
 * @returns counts once
 */
export function createAgentSlotCount(deps: {
  readonly db: Db;
  readonly regions: readonly string[];
  readonly logger: Logger;
  readonly metrics: DialerMetrics;
}): () => Promise<void> {
  const { logger, metrics } = deps;
  const withoutAgents = new Set<string>();
  return async () => {
    for (const { region, slots, taken } of await slotsOfRegions(deps.db, deps.regions)) {
      if (slots === 0 && !withoutAgents.has(region)) {
        withoutAgents.add(region);
        logger.warn({ region }, 'no agent worker of the region offers a slot: its calls wait');
      } else if (slots > 0 && withoutAgents.delete(region)) {
        logger.info({ region, slots }, 'agent workers of the region offer slots: its calls go on');
      }
      metrics.agentSlots.set({ region }, slots);
      metrics.agentSlotsTaken.set({ region }, taken);
    }
  };
}

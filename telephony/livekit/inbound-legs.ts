import type { InboundLegs } from '../inbound.js';
import { hasAgent } from './agent.js';
import { createLiveKitClient, type LiveKitClient } from './client.js';
import { type LiveKitRegion, regionFor } from './regions.js';

/** The callers of all regions, as LiveKit's rooms hold them. */
export function createInboundLegs(regions: readonly LiveKitRegion[]): InboundLegs {
  const clients = regions.map((region) => ({ name: region.name, client: createLiveKitClient(region) }));
  const clientOf = (region: string): LiveKitClient => regionFor(region, clients).client;
  return {
    async find({ region, room, identity, agentRule }) {
      const client = clientOf(region);
      const participants = await client.participants(room);
      const caller = participants.find((each) => each.identity === identity);
      if (caller === undefined || !(await client.serves(room, identity))) return null;
      return { attributes: caller.attributes, hasAgent: agentRule !== null && hasAgent(participants, agentRule) };
    },
    sendAgent: ({ region, room }, ruleId) => clientOf(region).dispatchToCaller(room, ruleId),
    async hangUp({ region, room, identity }) {
      await clientOf(region).remove(room, identity);
    },
    transfer: ({ region, room, identity }, to) => clientOf(region).transfer(room, identity, to),
  };
}

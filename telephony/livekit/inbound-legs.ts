import type { InboundLegs } from '../inbound.js';
import { createLiveKitClient, type LiveKitClient } from './client.js';
import { type LiveKitRegion, regionFor } from './regions.js';

/** The callers of all regions, as LiveKit's rooms hold them. */
export function createInboundLegs(regions: readonly LiveKitRegion[]): InboundLegs {
  const clients = regions.map((region) => ({ name: region.name, client: createLiveKitClient(region) }));
  const clientOf = (region: string): LiveKitClient => regionFor(region, clients).client;
  return {
    async find({ region, room, identity }) {
      const client = clientOf(region);
      const caller = (await client.participants(room)).find((each) => each.identity === identity);
      return caller !== undefined && (await client.serves(room, identity)) ? caller.attributes : null;
    },
    async hangUp({ region, room, identity }) {
      await clientOf(region).remove(room, identity);
    },
    transfer: ({ region, room, identity }, to) => clientOf(region).transfer(room, identity, to),
  };
}

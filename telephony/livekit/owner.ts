import { RoomServiceClient } from 'livekit-server-sdk';
import { cannotAsk } from './failure.js';
import type { LiveKitRegion } from './regions.js';

/** A room without participants: its metadata names the database of the service that the LiveKit belongs to. */
const ownerRoom = 'outdial_owner';
/** How long a claim outlives the last process that renewed it. */
const markSeconds = 180;
const requestSeconds = 5;

const roomsOf = ({ url, apiKey, apiSecret }: LiveKitRegion): RoomServiceClient =>
  new RoomServiceClient(url, apiKey, apiSecret, { requestTimeout: requestSeconds, failover: false });

async function ownerIn(rooms: RoomServiceClient): Promise<string | null> {
  const [room] = await rooms.listRooms([ownerRoom]);
  return room === undefined || room.metadata === '' ? null : room.metadata;
}

/**
 * Whose a LiveKit is: the database of the service whose dialers have claimed it within the last minutes.
 *
 * @returns null if there is no claim
 * @throws ProviderUnreachable
 */
export const ownerOf = (region: LiveKitRegion): Promise<string | null> =>
  ownerIn(roomsOf(region)).catch((error: unknown) => {
    throw cannotAsk(error, region.name);
  });

/**
 * Claims a LiveKit for the service of this database, for three minutes.
 *
 * @returns the database of another service that has it; null: it is claimed
 * @throws ProviderUnreachable
 */
export async function claimLiveKit(region: LiveKitRegion, databaseId: string): Promise<string | null> {
  const rooms = roomsOf(region);
  try {
    const owner = await ownerIn(rooms);
    if (owner !== null && owner !== databaseId) return owner;
    // LiveKit closes an empty room some time after it was created: a new one renews the claim.
    if (owner !== null) await rooms.deleteRoom(ownerRoom).catch(() => undefined);
    await rooms.createRoom({ name: ownerRoom, metadata: databaseId, emptyTimeout: markSeconds });
    return null;
  } catch (error) {
    throw cannotAsk(error, region.name);
  }
}

/** What an operator is told of a LiveKit that another service has. */
export const foreignLiveKit = ({ name, url }: LiveKitRegion, other: string): string =>
  `The LiveKit of the region ${name} (${new URL(url).host}) belongs to the service of another database (${other}). Two services ` +
  'with one LiveKit take each other’s callees, who would hear no agent, and delete each other’s inbound numbers. Give each its own. ' +
  'If the other has been ended for good, this one can have it in three minutes.';

import type { LegRef } from './wire.js';

export interface RoomRequests {
  /** Resolves when the room of the leg is ready. */
  ask(leg: LegRef): Promise<void>;
}

/**
 * Requests the rooms of legs that are prepared in one turn of the event loop together.
 *
 * @param send sends one request; if it fails, it fails for each of these legs
 */
export function createRooms(send: (legs: readonly LegRef[]) => Promise<unknown>): RoomRequests {
  let gathering: { readonly legs: LegRef[]; readonly sent: Promise<void> } | null = null;
  return {
    ask(leg) {
      if (gathering !== null) {
        gathering.legs.push(leg);
        return gathering.sent;
      }
      const legs = [leg];
      const sent = new Promise<void>((resolve) => setImmediate(resolve)).then(async () => {
        gathering = null;
        await send(legs);
      });
      gathering = { legs, sent };
      return sent;
    },
  };
}

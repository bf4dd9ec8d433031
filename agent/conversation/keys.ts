import { type RemoteParticipant, type Room, RoomEvent } from '@livekit/rtc-node';

/** Keys that come within this of each other are one message. */
const togetherMs = 1_500;

/** Hears the keys that the callee presses: `pressed` gets them together, at a pause or at #. */
export function listenForKeys(room: Room, identity: string, pressed: (keys: string) => void): void {
  let keys = '';
  let timer: NodeJS.Timeout | undefined;
  const tell = (): void => {
    clearTimeout(timer);
    const all = keys;
    keys = '';
    if (all !== '') pressed(all);
  };
  room.on(RoomEvent.DtmfReceived, (_code: number, digit: string, participant: RemoteParticipant) => {
    if (participant.identity !== identity) return;
    keys += digit;
    clearTimeout(timer);
    if (digit === '#') tell();
    else timer = setTimeout(tell, togetherMs);
  });
}

/** Codes of RFC 4733: digits are themselves, * is 10 and # is 11. */
const codeOf = (key: string): number => (key === '*' ? 10 : key === '#' ? 11 : Number(key));

/** Presses keys, one after another. */
export async function pressKeys(room: Room, keys: string): Promise<void> {
  for (const key of keys) await room.localParticipant?.publishDtmf(codeOf(key), key);
}

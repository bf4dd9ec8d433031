import { formatId } from '../ids.js';

/** What a routing rule says of the room, as its columns hold it. */
export interface RoomRule {
  readonly room_type: string;
  readonly room_prefix: string;
  /** The room itself if room_type is static. */
  readonly room_id: string | null;
  /** Whether the callee's number is kept out of the room, and so out of its name. */
  readonly hide_phone_number: boolean;
}

export interface RoomCall {
  /** `calls.id`: the bare UUID. */
  readonly callId: string;
  /** The callee, E.164. */
  readonly to: string;
  /** The account's own number, E.164. */
  readonly from: string;
  /** Room that the call itself asks for; a static one of the rule's wins. */
  readonly askedRoom?: string | undefined;
  /** Whether the call asks for what `hide_phone_number` of the rule does. */
  readonly hidesNumber?: boolean | undefined;
}

/**
 * Eight characters that look random and are the same each time: the room of a call must not depend on who works it out.
 * FNV-1a, once forwards and once backwards, because one pass of 32 bits gives only six characters.
 */
function scrambled(text: string): string {
  const hash = (characters: Iterable<string>): number => {
    let state = 0x811c9dc5;
    for (const character of characters) state = Math.imul(state ^ (character.codePointAt(0) ?? 0), 0x01000193) >>> 0;
    return state;
  };
  const base36 = (value: number): string => value.toString(36).padStart(7, '0');
  return (base36(hash(text)).slice(-4) + base36(hash(Array.from(text).reverse())).slice(-4)).toLowerCase();
}

function prefixText(rule: RoomRule, call: RoomCall): string {
  const random = `${scrambled(call.callId)}_`;
  switch (rule.room_prefix) {
    case 'participantNumber':
      return rule.hide_phone_number || call.hidesNumber === true ? random : `${call.to}_`;
    case 'sipNumber':
      return `${call.from}_`;
    case 'random':
      return random;
    default:
      return '';
  }
}

const separator = '.';

/**
 * A room as LiveKit knows it: one LiveKit serves all accounts, so the account's id comes before the account's own name.
 * Ids of accounts all have one length, so two accounts never name the same room.
 */
export const liveKitRoom = (accountId: string, ownName: string): string => `${accountId}${separator}${ownName}`;

/** Names that only the service itself gives: an account's name of this shape could be mistaken for one of them. */
const reservedNames = /^acc_[0-9a-f-]{36}|call_[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}_\d+_\d+$|^playground_/i;

/** Whether a room that an account names itself has the shape of a name that the service gives. */
export const isReservedRoomName = (ownName: string): boolean => reservedNames.test(ownName.trim());

/** What a refusal of such a name says. */
export const reservedRoomWords =
  'must not look like a room that the service names: acc_<id>…, call_<id>_<number>_<number> or playground_…';

/**
 * Name of the room in which callee and agent meet, as the account knows it (`liveKitRoom` is what LiveKit sees). A static room is the rule's own, and a call may name one if the rule
 * does not; every other one ends in `call_<uuid>_<attempt>_<invite>`, so that no two INVITEs ever share one.
 *
 * @param attempt 1 for the call's first attempt
 * @param invite which passing of the gate it is for that attempt; 1 or more
 */
export function roomFor(rule: RoomRule, call: RoomCall, attempt: number, invite: number): string {
  if (rule.room_type === 'static' && rule.room_id !== null) return rule.room_id;
  if (call.askedRoom !== undefined) return call.askedRoom;
  return `${prefixText(rule, call)}${formatId('call', call.callId)}_${attempt}_${invite}`;
}

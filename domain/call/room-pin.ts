import { type SecretPlace, secretPlaces } from '../account/secret-places.js';

/** Which rule a PIN belongs to. */
interface RuleOfPin {
  readonly accountId: string;
  readonly ruleId: string;
}

/** What `routing_rules.room_pin` says if the digits are sealed in the column beside it. */
export const sealedPin = 'sealed';

/** The PIN of a rule's room as the columns of its row. */
export const pinColumns = (
  pin: string | undefined,
  { accountId, ruleId }: RuleOfPin,
  seal: (secret: string, place: SecretPlace) => string,
) =>
  pin === undefined
    ? { room_pin: null, room_pin_sealed: null }
    : { room_pin: sealedPin, room_pin_sealed: seal(pin, secretPlaces.roomPin(accountId, ruleId)) };

/**
 * The PIN that a row of a rule holds; null: callers are let in without one. Digits that the version before has stored are
 * taken as they are.
 *
 * @throws Error if the sealed PIN does not open
 */
export function pinOf(
  { roomPin, roomPinSealed }: { readonly roomPin: string | null; readonly roomPinSealed: string | null },
  { accountId, ruleId }: RuleOfPin,
  open: (sealed: string, place: SecretPlace) => string,
): string | null {
  if (roomPin !== sealedPin) return roomPin;
  if (roomPinSealed === null) throw new Error(`The sealed PIN of ${ruleId} is missing.`);
  return open(roomPinSealed, secretPlaces.roomPin(accountId, ruleId));
}

import { v7 } from 'uuid';
import type { Db } from '../../db/client.js';
import {
  attachGateways,
  numbersReceivedElsewhere,
  numbersWithGateways,
  type NumberLink,
} from '../../db/queries/telephony/gateways.js';
import { registerNumbers, type NewNumber } from '../../db/queries/telephony/phone-numbers.js';
import { isUniqueViolation } from '../../db/unique-violation.js';
import { conflict } from '../../domain/errors.js';
import { formatId } from '../../domain/ids.js';
import { countryOf } from '../../domain/phone/phone-number.js';
import type { Direction } from './schema.js';

/** Numbers as they are registered if the account does not have them. */
export const newNumbers = (e164s: readonly string[], name: string): NewNumber[] =>
  e164s.map((e164) => ({ id: formatId('number', v7()), e164, name, countryCode: countryOf(e164) }));

/**
 * Attaches a gateway to numbers, registered if they are new.
 *
 * @throws Failure `conflict` if one has such a gateway already, on this account or, for calls that come in, on any: in
 * the same words, so that no one learns whose a number is
 */
export async function attachNumbers(
  tx: Db,
  accountId: string,
  gateway: { readonly id: string; readonly direction: Direction; readonly name: string },
  e164s: readonly string[],
): Promise<void> {
  const { id: gatewayId, direction, name } = gateway;
  const rows = await registerNumbers(tx, accountId, newNumbers(e164s, name));
  const taken = new Set(await numbersWithGateways(tx, accountId, e164s, direction));
  if (direction === 'inbound') {
    for (const e164 of await numbersReceivedElsewhere(tx, accountId, e164s)) taken.add(e164);
  }
  if (taken.size > 0) {
    throw conflict(`These numbers already have an ${direction} gateway: ${[...taken].sort().join(', ')}`);
  }
  const links: NumberLink[] = [...rows.values()].map(({ id, e164 }) => ({ numberId: id, e164, gatewayId, direction }));
  await attachGateways(tx, accountId, links);
}

/** What a request hears whose number another account attached in the same moment: the index decides. */
export function attachFailure(error: unknown): unknown {
  if (!isUniqueViolation(error, 'number_gateways')) return error;
  return conflict('Some of these numbers were attached to a gateway concurrently. Retry the request.');
}

import { v7 } from 'uuid';
import { z } from 'zod';
import type { Db } from '../../db/client.js';
import {
  attachGateways,
  gatewaysOfNumbers,
  insertGateways,
  numbersReceivedElsewhere,
  numbersWithGateways,
  type NewGateway,
  type NumberLink,
} from '../../db/queries/telephony/gateways.js';
import { factsOfNumbers } from '../../db/queries/telephony/number-limits.js';
import { registerNumbers, renameNumbers, type PhoneNumberRow } from '../../db/queries/telephony/phone-numbers.js';
import { conflict, invalid } from '../../domain/errors.js';
import { formatId } from '../../domain/ids.js';
import { recordAudit } from '../audit.js';
import { credentialColumns } from '../gateways/columns.js';
import { attachFailure, newNumbers } from '../gateways/numbers.js';
import { requireGrants } from '../grants.js';
import { withIdempotency } from '../idempotency.js';
import { operation, type AppDeps } from '../operation.js';
import { CreatePhoneNumbers, createBodyProblems } from './create-body.js';
import { PhoneNumber, phoneNumberBody } from './schema.js';

/** A pair of gateways with the links to the numbers that it serves. */
function gatewayPair(
  { outbound, inbound, mediaEncryption }: CreatePhoneNumbers,
  name: string,
  numbers: readonly PhoneNumberRow[],
  accountId: string,
  deps: AppDeps,
): { gateways: NewGateway[]; links: NumberLink[] } {
  const shared = {
    name,
    media_encryption: mediaEncryption,
    calls_per_second: deps.env.OUTDIAL_DEFAULT_CALLS_PER_SECOND,
    made_with_numbers: true,
  };
  const outboundId = formatId('outboundGateway', v7());
  const gateways: NewGateway[] = [
    { ...shared, id: formatId('inboundGateway', v7()), direction: 'inbound', sip_region: inbound.sipRegion },
    {
      ...shared,
      id: outboundId,
      direction: 'outbound',
      sip_region: outbound.sipRegion,
      address: outbound.address,
      transport: outbound.transport,
      ...credentialColumns(outbound.auth, { accountId, id: outboundId }, deps),
    },
  ];
  const links = gateways.flatMap(({ id, direction }) =>
    numbers.map((number) => ({ numberId: number.id, e164: number.e164, gatewayId: id, direction })),
  );
  return { gateways, links };
}

/** Before anything is locked: numbers that are taken for good are named; trying again would not help. */
async function refuseTaken(tx: Db, accountId: string, e164s: readonly string[]): Promise<void> {
  const taken = await numbersWithGateways(tx, accountId, e164s);
  if (taken.length > 0) {
    throw invalid(`These numbers already have gateways: ${taken.join(', ')}. Detach them first.`);
  }
  const elsewhere = await numbersReceivedElsewhere(tx, accountId, e164s);
  if (elsewhere.length > 0) {
    throw conflict(`Calls to these numbers already go to another gateway: ${elsewhere.join(', ')}`);
  }
}

async function register(tx: Db, accountId: string, body: CreatePhoneNumbers, deps: AppDeps): Promise<PhoneNumberRow[]> {
  await requireGrants(tx, accountId, { numbers: body.phoneNumbers, hosts: [body.outbound.address] });
  await refuseTaken(tx, accountId, body.phoneNumbers);
  const rows = await registerNumbers(tx, accountId, newNumbers(body.phoneNumbers, body.name));
  const numbers = body.phoneNumbers.flatMap((e164) => rows.get(e164) ?? []);
  const reused = numbers.filter(({ name }) => name !== body.name);
  await renameNumbers(
    tx,
    accountId,
    reused.map(({ id }) => id),
    body.name,
  );
  const pairs = body.isShared
    ? [gatewayPair(body, body.name, numbers, accountId, deps)]
    : numbers.map((number) => gatewayPair(body, `${body.name} ${number.e164}`, [number], accountId, deps));
  await insertGateways(
    tx,
    accountId,
    pairs.flatMap(({ gateways }) => gateways),
  );
  await attachGateways(
    tx,
    accountId,
    pairs.flatMap(({ links }) => links),
  );
  return numbers.map((number) => ({ ...number, name: body.name }));
}

/**
 * POST /v2/sip/phone-numbers
 *
 * All or nothing. Requests over the same numbers wait for each other on the numbers' rows; the unique indexes on
 * number_gateways decide when two accounts race for one number.
 */
export const createPhoneNumbers = operation({
  name: 'phoneNumbers.create',
  method: 'POST',
  url: '/v2/sip/phone-numbers',
  family: 'sip',
  tag: 'Phone numbers',
  idempotent: true,
  schema: {
    summary: 'Register numbers of your own SIP trunk, with their gateways',
    description:
      'Attaches an inbound and an outbound gateway to every number, all or nothing. Numbers of the account without ' +
      'gateways are reused and get the name sent; 400 names those with gateways: detach them first. 409: another ' +
      'request attaches a number at the same moment, or another gateway takes its calls. The inbound gateway takes ' +
      'calls once it is set who may call: its `auth` or `allowedAddresses`, or `allowedIpAddresses` of the rule.',
    body: CreatePhoneNumbers,
    bodyProblems: createBodyProblems,
    response: {
      201: z.strictObject({
        message: z.string().meta({
          description: 'How many numbers were registered',
          examples: ['1 number is registered, with gateways attached.'],
        }),
        data: z.array(PhoneNumber).describe('The numbers with their gateways, in the order sent'),
      }),
    },
  },

  async handler(request, deps) {
    const { body, caller } = request;
    try {
      return await withIdempotency(request, deps, body, async (tx) => {
        const numbers = await register(tx, caller.accountId, body, deps);
        const ids = numbers.map(({ id }) => id);
        const gateways = await gatewaysOfNumbers(tx, caller.accountId, ids);
        const facts = await factsOfNumbers(tx, caller.accountId, body.phoneNumbers);
        await recordAudit(tx, caller, 'phone-number.create', ids.join(','), { phoneNumbers: body.phoneNumbers });
        const many = numbers.length === 1 ? '1 number is' : `${numbers.length} numbers are`;
        return {
          status: 201 as const,
          body: {
            message: `${many} registered, with gateways attached.`,
            data: numbers.map((number) => phoneNumberBody(number, gateways.get(number.id), facts.get(number.e164))),
          },
        };
      });
    } catch (error) {
      throw attachFailure(error);
    }
  },
});

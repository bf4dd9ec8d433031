import type { ClientFlags } from '../commands/service-options.js';
import { clientOf } from './client.js';
import { CommandFailed, exitCodes, wrongUsage } from './exit-codes.js';
import { listRows } from './list.js';
import { fieldOf, printDone, printRows, type Shown } from './output.js';
import { textOf } from './printable.js';

type Listing = ClientFlags & { readonly limit: number; readonly search?: string };

const gateways: Shown = {
  id: 'id',
  columns: {
    Id: 'id',
    Name: 'name',
    Direction: 'direction',
    Address: 'address',
    Transport: 'transport',
    'Per second': ({ direction, callsPerSecond }) => (direction === 'outbound' ? callsPerSecond : ''),
    'At once': ({ direction, maxConcurrentCalls }) => (direction === 'outbound' ? maxConcurrentCalls : ''),
    Reserved: ({ direction, reservedCalls }) => (direction === 'outbound' ? reservedCalls : ''),
    Numbers: 'numbers',
  },
};

/** `outdial gateway list` */
export async function listGateways(flags: Listing): Promise<void> {
  const { limit, search } = flags;
  const client = await clientOf(flags);
  const outbound = await listRows(client, 'outboundGateways.list', limit, { query: { search } });
  const inbound = await listRows(client, 'inboundGateways.list', limit, { query: { search } });
  const rows = [
    ...outbound.map((row) => ({ ...row, direction: 'outbound' })),
    ...inbound.map((row) => ({ ...row, direction: 'inbound' })),
  ];
  printRows(rows.slice(0, limit), gateways, flags);
}

/** `outdial gateway check` */
export async function checkGateway(gatewayId: string, flags: ClientFlags): Promise<void> {
  const client = await clientOf(flags);
  const answer = await client.ask('phoneNumbers.checkGateway', { path: { gatewayId } });
  printDone(`${gatewayId}: ${textOf(answer.message)}`, answer, gatewayId, flags);
  if (answer.reachable !== true) throw new CommandFailed(exitCodes.failed, `${gatewayId} does not answer.`);
}

const numbers: Shown = {
  id: 'phoneNumber.e164',
  columns: {
    Number: 'phoneNumber.e164',
    Name: 'phoneNumber.name',
    Country: 'phoneNumber.countryCode',
    Today: 'phoneNumber.callsToday',
    'A day': 'phoneNumber.maxCallsPerDay',
    'Seconds apart': 'phoneNumber.minSecondsBetweenCalls',
    Outbound: 'outbound.id',
    Inbound: 'inbound.id',
    Id: 'phoneNumber.phoneNumberId',
  },
};

/** `outdial number list` */
export async function listNumbers(flags: Listing): Promise<void> {
  const { limit, search } = flags;
  printRows(await listRows(await clientOf(flags), 'phoneNumbers.list', limit, { query: { search } }), numbers, flags);
}

export interface NumberChanges extends ClientFlags {
  readonly maxPerDay?: number | 'none';
  readonly minSeconds?: number | 'none';
  readonly name?: string;
}

/** `outdial number set` */
export async function setNumber(which: string, flags: NumberChanges): Promise<void> {
  const { maxPerDay, minSeconds, name } = flags;
  const json = {
    ...(name === undefined ? {} : { name }),
    ...(maxPerDay === undefined ? {} : { maxCallsPerDay: limitOf(maxPerDay) }),
    ...(minSeconds === undefined ? {} : { minSecondsBetweenCalls: limitOf(minSeconds) }),
  };
  if (Object.keys(json).length === 0) throw wrongUsage('Say what to change: --max-per-day, --min-seconds or --name.');
  const client = await clientOf(flags);
  const answer = await client.ask('phoneNumbers.update', { path: { phoneNumberId: which }, json });
  const aDay = limitWords(fieldOf(answer, 'phoneNumber.maxCallsPerDay'), 'calls a day');
  const apart = limitWords(fieldOf(answer, 'phoneNumber.minSecondsBetweenCalls'), 'seconds between calls');
  const e164 = textOf(fieldOf(answer, 'phoneNumber.e164'));
  printDone(`${e164}: ${aDay}, ${apart}.`, answer, e164, flags);
}

const limitOf = (limit: number | 'none'): number | null => (limit === 'none' ? null : limit);

const limitWords = (limit: unknown, of: string): string =>
  typeof limit === 'number' ? `${limit} ${of}` : `no limit of ${of}`;

const rules: Shown = {
  id: 'id',
  columns: { Id: 'id', Name: 'name', Type: 'type', Numbers: 'phoneNumbers', Agent: 'agentId', Problem: 'problem' },
};

/** `outdial rule list` */
export async function listRules(flags: Listing & { type?: string }): Promise<void> {
  const { limit, search, type } = flags;
  printRows(
    await listRows(await clientOf(flags), 'routingRules.list', limit, { query: { search, type } }),
    rules,
    flags,
  );
}

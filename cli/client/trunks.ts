import type { ClientFlags } from '../commands/service-options.js';
import { clientOf } from './client.js';
import { CommandFailed, exitCodes } from './exit-codes.js';
import { listRows } from './list.js';
import { printDone, printRows, type Shown } from './output.js';
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

import type { ClientFlags, Listing } from '../commands/service-options.js';
import { type Client, clientOf, type Row } from './client.js';
import { CommandFailed, exitCodes, wrongUsage } from './exit-codes.js';
import { listRows } from './list.js';
import { fieldOf, printDone, printOne, printRows, type Shown, unlessEmpty } from './output.js';
import { textOf } from './printable.js';
import { noneAsNull, pairOf } from './request.js';
import { readSecret } from './secret-input.js';

const ofOutbound =
  (field: string) =>
  (row: Row): unknown =>
    row.direction === 'outbound' ? row[field] : '';

const listed: Shown = {
  id: 'id',
  columns: {
    Id: 'id',
    Name: 'name',
    Direction: 'direction',
    Address: 'address',
    Transport: 'transport',
    'Per second': ofOutbound('callsPerSecond'),
    'At once': ofOutbound('maxConcurrentCalls'),
    Reserved: ofOutbound('reservedCalls'),
    Numbers: 'numbers',
  },
};

const shown: Shown = {
  id: 'id',
  columns: {
    ...listed.columns,
    User: 'auth.username',
    'Media encryption': 'mediaEncryption',
    Region: 'sipRegion',
    'Allowed addresses': 'allowedAddresses',
    'Allowed numbers': 'allowedNumbers',
    Record: 'record',
    'Noise cancellation': 'noiseCancellation',
    Keys: 'enableDtmf',
    'Ring seconds': ofOutbound('ringTimeoutSeconds'),
    'Most seconds of a call': ofOutbound('maxCallSeconds'),
    'From host': 'fromHost',
    Headers: unlessEmpty('headers'),
    'Number format': ofOutbound('numberFormat'),
    Tags: 'tags',
    Metadata: unlessEmpty('metadata'),
    Made: 'createdAt',
    Changed: 'updatedAt',
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
  printRows(rows.slice(0, limit), listed, flags);
}

type Direction = 'outbound' | 'inbound';

/** Which of the two kinds an id is of. @throws CommandFailed if it is of neither */
function directionOf(id: string): Direction {
  if (id.startsWith('gwo_')) return 'outbound';
  if (id.startsWith('gwi_')) return 'inbound';
  throw wrongUsage(`${id} is no id of a gateway, which begins with gwo_ or gwi_: see outdial gateway list.`);
}

const operations = {
  outbound: {
    get: 'outboundGateways.get',
    create: 'outboundGateways.create',
    update: 'outboundGateways.update',
    delete: 'outboundGateways.delete',
  },
  inbound: {
    get: 'inboundGateways.get',
    create: 'inboundGateways.create',
    update: 'inboundGateways.update',
    delete: 'inboundGateways.delete',
  },
} as const satisfies Readonly<Record<Direction, object>>;

const pathOf = (id: string): Readonly<Record<string, string>> => ({ [`${directionOf(id)}GatewayId`]: id });

const fetchGateway = (client: Client, id: string): Promise<Row> =>
  client.ask(operations[directionOf(id)].get, { path: pathOf(id) });

/** `outdial gateway show` */
export async function showGateway(id: string, flags: ClientFlags): Promise<void> {
  const direction = directionOf(id);
  const gateway = await fetchGateway(await clientOf(flags), id);
  // JSON is what the service has answered.
  printOne(flags.output === 'json' ? gateway : { ...gateway, direction }, shown, flags);
}

/** What `outdial gateway create` and `set` take. */
export interface GatewayFlags extends ClientFlags {
  readonly name?: string;
  readonly number?: readonly string[];
  readonly address?: string;
  readonly transport?: string;
  readonly user?: string;
  readonly srtp?: boolean;
  readonly region?: string;
  readonly allowAddress?: readonly string[];
  readonly allowNumber?: readonly string[];
  readonly record?: boolean;
  readonly noiseCancellation?: boolean;
  readonly dtmf?: boolean;
  readonly maxConcurrent?: number | 'none';
  readonly reserved?: number | 'none';
  readonly perSecond?: number | 'none';
  readonly ringSeconds?: number | 'none';
  readonly maxCallSeconds?: number | 'none';
  readonly fromHost?: string;
  readonly header?: readonly string[];
  readonly numberFormat?: string;
  readonly tag?: readonly string[];
  readonly metadata?: string;
}

export interface GatewayChanges extends GatewayFlags {
  readonly newPassword?: true;
}

const listOrNull = (values: readonly string[] | undefined): readonly string[] | null | undefined =>
  values?.length === 1 && values[0] === 'none' ? null : values;

/** The fields that the flags name, as the API has them; null for `none`. */
function fieldsOf(flags: GatewayFlags): Row {
  const { srtp, header, metadata } = flags;
  const headers = listOrNull(header);
  const fields = {
    name: flags.name,
    numbers: listOrNull(flags.number),
    address: noneAsNull(flags.address),
    transport: noneAsNull(flags.transport),
    mediaEncryption: srtp === undefined ? undefined : srtp ? 'enable' : 'disable',
    sipRegion: noneAsNull(flags.region),
    allowedAddresses: listOrNull(flags.allowAddress),
    allowedNumbers: listOrNull(flags.allowNumber),
    record: flags.record,
    noiseCancellation: flags.noiseCancellation,
    enableDtmf: flags.dtmf,
    maxConcurrentCalls: noneAsNull(flags.maxConcurrent),
    reservedCalls: noneAsNull(flags.reserved),
    callsPerSecond: noneAsNull(flags.perSecond),
    ringTimeoutSeconds: noneAsNull(flags.ringSeconds),
    maxCallSeconds: noneAsNull(flags.maxCallSeconds),
    fromHost: noneAsNull(flags.fromHost),
    headers: headers && Object.fromEntries(headers.map(pairOf)),
    numberFormat: noneAsNull(flags.numberFormat),
    tags: listOrNull(flags.tag),
    metadata: metadata === undefined || metadata === 'none' ? noneAsNull(metadata) : objectOf(metadata),
  };
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

function objectOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw wrongUsage(`--metadata: must be a JSON object, such as '{"contract": "A-17"}'.`);
  }
}

const askPassword = (): Promise<string> => readSecret('Password of the trunk', { mayHaveSpaces: true });

/** `outdial gateway create`: the trunk's password is asked for, never an argument. */
export async function createGateway(direction: Direction, flags: GatewayFlags): Promise<void> {
  const { user: username, name = flags.number?.[0] } = flags;
  // What is none of a new gateway is what it would be anyway.
  const given = Object.entries(fieldsOf(flags)).filter(([, value]) => value !== null);
  if (direction === 'outbound' && flags.address === undefined)
    throw wrongUsage('Give --address: where calls go out to.');
  if (name === undefined) throw wrongUsage('Give --name or --number.');
  const client = await clientOf(flags);
  const auth =
    username === undefined || username === 'none' ? {} : { auth: { username, password: await askPassword() } };
  const json = { name, ...Object.fromEntries(given), ...auth };
  const answer = await client.ask(operations[direction].create, { json, idempotencyKey: true });
  const id = textOf(answer.id);
  const serves = Array.isArray(answer.numbers) && answer.numbers.length > 0 ? textOf(answer.numbers) : 'no number yet';
  const next = direction === 'outbound' ? ` Ask whether it answers with: outdial gateway check ${id}` : '';
  printDone(`Made ${id} (${textOf(answer.name)}): it serves ${serves}.${next}`, answer, id, flags);
}

/** `outdial gateway set` */
export async function setGateway(id: string, flags: GatewayChanges): Promise<void> {
  const { user, newPassword } = flags;
  const direction = directionOf(id);
  const fields = fieldsOf(flags);
  if (user !== undefined && newPassword === true) {
    throw wrongUsage('--user asks for a password itself: leave --new-password out.');
  }
  if (Object.keys(fields).length === 0 && user === undefined && newPassword === undefined) {
    throw wrongUsage('Say what to change, such as --max-concurrent 20; see outdial gateway set --help.');
  }
  const client = await clientOf(flags);
  const json = { ...fields, ...(await credentials()) };
  const answer = await client.ask(operations[direction].update, { path: pathOf(id), json });
  printDone(`${id} is changed: calls that are dialed from now on follow it.`, answer, id, flags);

  async function credentials(): Promise<Row> {
    if (user === 'none') return { auth: null };
    if (user === undefined && newPassword === undefined) return {};
    const username = user ?? fieldOf(await fetchGateway(client, id), 'auth.username');
    if (username === undefined) throw wrongUsage(`${id} has no user: name one with --user.`);
    return { auth: { username, password: await askPassword() } };
  }
}

/** `outdial gateway delete` */
export async function deleteGateway(id: string, flags: ClientFlags & { readonly yes?: true }): Promise<void> {
  const direction = directionOf(id);
  if (flags.yes !== true) {
    throw wrongUsage('Its numbers have no gateway then, and its password is gone. Add --yes to delete it.');
  }
  const client = await clientOf(flags);
  const answer = await client.ask(operations[direction].delete, { path: pathOf(id) });
  printDone(`${id} is deleted. Its numbers stay on the account.`, answer, id, flags);
}

/** `outdial gateway check` */
export async function checkGateway(gatewayId: string, flags: ClientFlags): Promise<void> {
  const client = await clientOf(flags);
  const answer = await client.ask('phoneNumbers.checkGateway', { path: { gatewayId } });
  printDone(`${gatewayId}: ${textOf(answer.message)}`, answer, gatewayId, flags);
  if (answer.reachable !== true) throw new CommandFailed(exitCodes.failed, `${gatewayId} does not answer.`);
}

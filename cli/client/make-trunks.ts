import type { ClientFlags } from '../commands/service-options.js';
import { clientOf, type Row } from './client.js';
import { wrongUsage } from './exit-codes.js';
import { listRows } from './list.js';
import { fieldOf, printDone } from './output.js';
import { textOf } from './printable.js';
import { readSecret } from './secret-input.js';

export interface NumberFlags extends ClientFlags {
  readonly trunk: string;
  readonly name?: string;
  readonly transport?: string;
  readonly user?: string;
  readonly srtp?: true;
  readonly region?: string;
}

/** `outdial number create`: numbers of a SIP trunk with their gateways. The trunk's password is asked for, never an argument. */
export async function createNumbers(numbers: readonly string[], flags: NumberFlags): Promise<void> {
  const { trunk: address, name = numbers[0], transport, user: username, srtp, region } = flags;
  const client = await clientOf(flags);
  const auth =
    username === undefined
      ? {}
      : { auth: { username, password: await readSecret('Password of the trunk', { mayHaveSpaces: true }) } };
  const sipRegion = region === undefined ? {} : { sipRegion: region };
  const json = {
    ...{ name, phoneNumbers: numbers, ...(srtp === true ? { mediaEncryption: 'enable' } : {}) },
    outbound: { address, ...(transport === undefined ? {} : { transport }), ...auth, ...sipRegion },
    inbound: { ...sipRegion },
  };
  const answer = await client.ask('phoneNumbers.create', { json, idempotencyKey: true });
  const words = `${numbers.join(', ')} call by ${address}. Ask whether it answers with: outdial gateway check GATEWAY (\`outdial gateway list\`)`;
  printDone(words, answer, numbers.join('\n'), flags);
}

export interface RuleFlags extends ClientFlags {
  readonly number: readonly string[];
  readonly agent?: string;
  readonly type: 'inbound' | 'outbound';
  readonly name?: string;
  readonly record?: true;
}

/** `outdial rule create` */
export async function createRule(flags: RuleFlags): Promise<void> {
  const { number: phoneNumbers, agent, type, name = `${type} ${phoneNumbers[0] ?? ''}`, record } = flags;
  const client = await clientOf(flags);
  const agentId =
    agent ?? onlyOne(await listRows(client, 'agents.list', 2), 'agentId', 'agent', '--agent, of `outdial agent list`');
  const json = { name, type, phoneNumbers, agentId, ...(record === true ? { recording: true } : {}) };
  const answer = await client.ask('routingRules.create', { json, idempotencyKey: true });
  const id = textOf(fieldOf(answer, 'data.id') ?? answer.id);
  printDone(`${id}: ${agentId} talks on ${type} calls of ${phoneNumbers.join(', ')}.`, answer, id, flags);
}

function onlyOne(rows: readonly Row[], field: string, what: string, remedy: string): string {
  const [first, ...others] = rows;
  if (first === undefined) throw wrongUsage(`The account has no ${what} yet. Name one with ${remedy}.`);
  if (others.length > 0) throw wrongUsage(`The account has several. Name the ${what} with ${remedy}.`);
  return textOf(first[field]);
}

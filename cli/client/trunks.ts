import type { ClientFlags } from '../commands/service-options.js';
import { clientOf } from './client.js';
import { wrongUsage } from './exit-codes.js';
import { listRows } from './list.js';
import { fieldOf, printDone, printOne, printRows, type Shown } from './output.js';
import { noneAsNull } from './request.js';
import { textOf } from './printable.js';

type Listing = ClientFlags & { readonly limit: number; readonly search?: string };

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

/** `outdial number show` */
export async function showNumber(which: string, flags: ClientFlags): Promise<void> {
  const number = await (await clientOf(flags)).ask('phoneNumbers.get', { path: { phoneNumberId: which } });
  const sevenDays = 'phoneNumber.lastSevenDays';
  const columns: Shown['columns'] = {
    ...numbers.columns,
    'Attempts in 7 days': `${sevenDays}.attempts`,
    'Answered in 7 days': `${sevenDays}.answered`,
    Status: 'phoneNumber.status',
  };
  printOne(number, { ...numbers, columns }, flags);
}

interface Removal extends ClientFlags {
  readonly yes?: true;
}

/** `outdial number detach` */
export async function detachNumber(which: string, flags: Removal): Promise<void> {
  if (flags.yes !== true) {
    throw wrongUsage('No call comes in to it or goes out from it then. Add --yes to take it off its gateways.');
  }
  const client = await clientOf(flags);
  // The operation takes the number itself.
  const found = which.startsWith('+')
    ? which
    : fieldOf(await client.ask('phoneNumbers.get', { path: { phoneNumberId: which } }), 'phoneNumber.e164');
  const phoneNumber = textOf(found);
  const answer = await client.ask('phoneNumbers.detach', { json: { phoneNumber } });
  printDone(textOf(answer.message), answer, phoneNumber, flags);
}

/** `outdial number release` */
export async function releaseNumber(which: string, flags: Removal): Promise<void> {
  if (flags.yes !== true) throw wrongUsage('The account does not have it any more then. Add --yes to release it.');
  const answer = await (
    await clientOf(flags)
  ).ask('phoneNumbers.release', { path: { phoneNumberId: which }, json: {} });
  printDone(textOf(answer.message), answer, which, flags);
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
    ...(maxPerDay === undefined ? {} : { maxCallsPerDay: noneAsNull(maxPerDay) }),
    ...(minSeconds === undefined ? {} : { minSecondsBetweenCalls: noneAsNull(minSeconds) }),
  };
  if (Object.keys(json).length === 0) throw wrongUsage('Say what to change: --max-per-day, --min-seconds or --name.');
  const client = await clientOf(flags);
  const answer = await client.ask('phoneNumbers.update', { path: { phoneNumberId: which }, json });
  const aDay = limitWords(fieldOf(answer, 'phoneNumber.maxCallsPerDay'), 'calls a day');
  const apart = limitWords(fieldOf(answer, 'phoneNumber.minSecondsBetweenCalls'), 'seconds between calls');
  const e164 = textOf(fieldOf(answer, 'phoneNumber.e164'));
  printDone(`${e164}: ${aDay}, ${apart}.`, answer, e164, flags);
}

const limitWords = (limit: unknown, of: string): string =>
  typeof limit === 'number' ? `${limit} ${of}` : `no limit of ${of}`;

const ruleShown: Shown['columns'] = {
  Recording: 'recording',
  Room: 'room',
  'Allowed numbers': 'allowedNumbers',
  'Allowed addresses': 'allowedIpAddresses',
  Tags: 'tags',
  Made: 'createdAt',
  Changed: 'updatedAt',
};

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

/** `outdial rule show` */
export async function showRule(ruleId: string, flags: ClientFlags): Promise<void> {
  const rule = await (await clientOf(flags)).ask('routingRules.get', { path: { ruleId } });
  printOne(rule, { ...rules, columns: { ...rules.columns, ...ruleShown } }, flags);
}

export interface RuleChanges extends ClientFlags {
  readonly number?: readonly string[];
  readonly agent?: string;
  readonly name?: string;
  readonly record?: boolean;
}

/** `outdial rule set` */
export async function setRule(ruleId: string, flags: RuleChanges): Promise<void> {
  const { number: phoneNumbers, agent: agentId, name, record: recording } = flags;
  if ([phoneNumbers, agentId, name, recording].every((given) => given === undefined)) {
    throw wrongUsage('Say what to change: --number, --agent, --name, --record or --no-record.');
  }
  const client = await clientOf(flags);
  const answer = await client.ask('routingRules.update', {
    path: { ruleId },
    json: { phoneNumbers, agentId, name, recording },
  });
  printDone(`${ruleId} is changed: calls that are dialed from now on follow it.`, answer, ruleId, flags);
}

/** `outdial rule delete` */
export async function deleteRule(ruleId: string, flags: Removal): Promise<void> {
  if (flags.yes !== true) {
    throw wrongUsage(
      'No agent talks on calls of its numbers then, unless another rule has them. Add --yes to delete it.',
    );
  }
  const answer = await (await clientOf(flags)).ask('routingRules.delete', { path: { ruleId } });
  printDone(`${ruleId} is deleted. Its numbers stay on the account.`, answer, ruleId, flags);
}

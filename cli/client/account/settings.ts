import type { ClientFlags } from '../../commands/service-options.js';
import { windowOf } from '../batch/words.js';
import { clientOf, type Row } from '../client.js';
import { CommandFailed, wrongUsage } from '../exit-codes.js';
import { type Columns, printDone, printOne } from '../output.js';
import { pairOf } from '../request.js';

/** A group of settings that the API reads and replaces as a whole. */
interface Group {
  readonly title: string;
  readonly read: 'accountDefaults.get' | 'guardrails.get';
  readonly replace: 'accountDefaults.replace' | 'guardrails.replace';
  /** Each field with how it is written in words; the fields that can only be read are not among them. */
  readonly fields: Readonly<Record<string, (text: string) => unknown>>;
  readonly columns: Columns;
}

const asText = (text: string): unknown => text;
const asList = (text: string): unknown => (text.trimStart().startsWith('[') ? asJson(text) : text.split(/[\s,]+/));
const asJson = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return text; // the service says what it must be
  }
};

/** The settings of an account that commands show and change. */
export const settingGroups = {
  defaults: {
    title: 'The defaults of new batch calls',
    read: 'accountDefaults.get',
    replace: 'accountDefaults.replace',
    fields: { timezone: asText, country: asText, callingWindow: windowOf, unfilledPlaceholders: asText },
    columns: {
      'Time zone': 'timezone',
      Country: 'country',
      'Calling window': 'callingWindow',
      'Unfilled placeholders': 'unfilledPlaceholders',
      Changed: 'updatedAt',
    },
  },
  guardrails: {
    title: 'The guardrails',
    read: 'guardrails.get',
    replace: 'guardrails.replace',
    fields: {
      callingHours: windowOf,
      maxAttemptsPerNumberPerDay: asJson,
      allowedCountries: asList,
      refusePremiumRate: asJson,
      refuseSatellite: asJson,
      disclosure: asText,
    },
    columns: {
      'Calling hours': 'callingHours',
      'Attempts a day': 'maxAttemptsPerNumberPerDay',
      'Allowed countries': 'allowedCountries',
      'Countries in force': 'countriesInForce',
      'Refuse premium rate': 'refusePremiumRate',
      'Refuse satellite': 'refuseSatellite',
      Disclosure: 'disclosure',
      'Limits of the operator': 'operatorLimits',
      'Dialing stopped': 'dialingStopped',
      Changed: 'updatedAt',
    },
  },
} as const satisfies Readonly<Record<string, Group>>;

export type SettingGroup = keyof typeof settingGroups;

/** `outdial defaults show`, `outdial guardrails show` */
export async function showSettings(name: SettingGroup, flags: ClientFlags): Promise<void> {
  const group: Group = settingGroups[name];
  const settings = await (await clientOf(flags)).ask(group.read);
  if (flags.quiet === true) throw wrongUsage('They have no ids: leave -q out.');
  if (flags.output === 'table' && Object.keys(settings).length === 0) console.error(`${group.title} were never set.`);
  else printOne(settings, { id: 'updatedAt', columns: group.columns }, flags);
}

/** `outdial defaults set`, `outdial guardrails set`: what is not named stays as it is. */
export async function setSettings(name: SettingGroup, given: readonly string[], flags: ClientFlags): Promise<void> {
  const group: Group = settingGroups[name];
  const changes = given.map((each) => changeOf(each, group, name));
  await replaceWith(name, flags, (settings) => ({ ...settings, ...Object.fromEntries(changes) }));
}

/** `outdial defaults unset`, `outdial guardrails unset` */
export async function unsetSettings(name: SettingGroup, fields: readonly string[], flags: ClientFlags): Promise<void> {
  for (const field of fields) readerOf(field, settingGroups[name], name);
  await replaceWith(name, flags, (settings) =>
    Object.fromEntries(Object.entries(settings).filter(([field]) => !fields.includes(field))),
  );
}

async function replaceWith(name: SettingGroup, flags: ClientFlags, change: (settings: Row) => Row): Promise<void> {
  const group: Group = settingGroups[name];
  const client = await clientOf(flags);
  const settings = await client.ask(group.read);
  const kept = Object.fromEntries(Object.entries(settings).filter(([field]) => field in group.fields));
  const json = change(kept);
  const answer = await client.ask(group.replace, { json });
  printDone(`${group.title} are set. See them with: outdial ${name} show`, answer, '', { ...flags });
}

function changeOf(given: string, group: Group, name: SettingGroup): [field: string, value: unknown] {
  const [field, text] = pairOf(given);
  try {
    return [field, readerOf(field, group, name)(text)];
  } catch (error) {
    // What reads the hours names the option of another command.
    if (!(error instanceof CommandFailed)) throw error;
    throw wrongUsage(error.message.replace(/^--window/, field));
  }
}

function readerOf(field: string, { fields }: Group, name: SettingGroup): (text: string) => unknown {
  const reader = Object.hasOwn(fields, field) ? fields[field] : undefined;
  if (reader !== undefined) return reader;
  throw wrongUsage(`${name} has no field ${field}. It has: ${Object.keys(fields).join(', ')}.`);
}

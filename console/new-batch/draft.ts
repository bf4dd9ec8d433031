import type { Schemas } from '../api/client.js';
import { noPreDial, type PreDialValues } from '../ui/pre-dial-fields.js';
import { noStops, type Stops, stopAfterOf, untilOf } from '../ui/stop-fields.js';
import type { Outcome } from './words.js';
import { csvOfPasted } from './sheet.js';

/** Units of a delay before a retry, in seconds. */
export const units = { seconds: 1, minutes: 60, hours: 3_600, days: 86_400 } as const;

/** A delay as it is typed. */
export interface Delay {
  readonly count: string;
  readonly unit: keyof typeof units;
}

/** An agent that is compared with others, as it is chosen. */
export interface DraftVariant {
  readonly agentId: string;
  readonly weight: string;
}

/** What has been typed and chosen so far. Nothing of it exists for the service before the last click. */
export interface Draft extends PreDialValues, Stops {
  /** Counts each change of the recipients, so that equal names are not taken for equal files. */
  readonly revision: number;
  /** Held in memory: a file that is saved over meanwhile is still the one that was looked at. */
  readonly file: File | null;
  readonly pasted: string;
  readonly name: string;
  readonly description: string;
  readonly phoneNumber: string;
  readonly routingRuleId: string;
  /** Agents that the recipients are divided among; empty: the agent of the rule. */
  readonly variants: readonly DraftVariant[];
  /** Names for headers of the file, by header. */
  readonly names: Readonly<Record<string, string>>;
  readonly plus: 'account' | 'reject' | 'add' | 'country';
  readonly country: string;
  readonly duplicates: 'call' | 'skip';
  readonly placeholders: 'account' | 'allow' | 'reject';
  readonly isScheduled: boolean;
  readonly date: string;
  readonly time: string;
  readonly timezone: string;
  /** False: the window of the account's defaults, if there is one. */
  readonly hasWindow: boolean;
  readonly from: string;
  readonly until: string;
  readonly days: readonly number[];
  /** `recipient` or an IANA name. */
  readonly windowZone: string;
  readonly retryOn: readonly Outcome[];
  readonly delays: readonly Delay[];
  readonly most: string;
  readonly endpoint: string;
  readonly events: readonly string[];
  /** Numbers that calls are made from besides `phoneNumber`. */
  readonly otherNumbers: readonly string[];
  readonly numberOnRetry: 'same' | 'other';
}

export const emptyDraft: Draft = {
  ...{ revision: 0, file: null, pasted: '', name: '', description: '', phoneNumber: '', routingRuleId: '', names: {} },
  variants: [],
  ...{ plus: 'account', country: '', duplicates: 'call', placeholders: 'account' },
  ...{ isScheduled: false, date: '', time: '', timezone: Intl.DateTimeFormat().resolvedOptions().timeZone },
  ...{ hasWindow: false, from: '09:00', until: '20:00', days: [1, 2, 3, 4, 5, 6, 7], windowZone: 'recipient' },
  ...{ retryOn: ['rejected', 'not-answered', 'missed'], delays: [], most: '', endpoint: '' },
  ...{ otherNumbers: [], numberOnRetry: 'same' },
  ...noPreDial,
  events: ['batchcall-started', 'batchcall-completed'],
  ...noStops,
};

/** What a section of the page works with. */
export interface SectionProps {
  readonly draft: Draft;
  readonly change: (part: Partial<Draft>) => void;
  /** What the API says of the field at this path of the request; undefined: nothing. */
  readonly problemAt: (path: string) => string | undefined;
}

/** Whether there is anybody to call. */
export const hasRecipients = ({ file, pasted }: Draft): boolean => file !== null || pasted.trim() !== '';

/** The delays in seconds; NaN for what is no number. */
export const delaySeconds = (delays: readonly Delay[]): readonly number[] =>
  delays.map(({ count, unit }) => (count.trim() === '' ? Number.NaN : Number(count) * units[unit]));

/** A time limit that is no number goes to the API as it is, which says what is wrong with it. */
const preDialOf = ({ preDial: url, onError, timeoutMs }: PreDialValues) => ({
  ...{ url, onError },
  timeoutMs: timeoutMs === '' || Number.isNaN(Number(timeoutMs)) ? timeoutMs : Number(timeoutMs),
});

/** The form fields of create and of the dry run, but for the file. Empty ones count as omitted. */
export function fieldsOf(draft: Draft): Omit<Schemas['CreateBatchCall'], 'file'> {
  const { plus, placeholders, isScheduled, date, time, timezone, hasWindow, names, delays, endpoint } = draft;
  // Headers by the names that they get, as the API has it.
  const columns = Object.fromEntries(
    Object.entries(names).flatMap(([header, name]) => (name === '' || name === header ? [] : [[name, header]])),
  );
  const { from, until, days: daysOfWeek, windowZone } = draft;
  const [stopAfter, stopsAt] = [stopAfterOf(draft), untilOf(draft)];
  const variants = draft.variants.map(({ agentId, weight }) => ({
    agentId,
    weight: weight === '' ? Number.NaN : Number(weight),
  }));
  const retry = { retryOn: draft.retryOn, retryDelays: delaySeconds(delays) };
  return {
    name: draft.name,
    ...(draft.otherNumbers.length === 0
      ? { phoneNumber: draft.phoneNumber }
      : {
          phoneNumbers: JSON.stringify([draft.phoneNumber, ...draft.otherNumbers]),
          ...(delays.length === 0 ? {} : { numberOnRetry: draft.numberOnRetry }),
        }),
    ...(draft.description === '' ? {} : { description: draft.description }),
    ...(draft.routingRuleId === '' ? {} : { routingRuleId: draft.routingRuleId }),
    ...(variants.length === 0 ? {} : { variants: JSON.stringify(variants) }),
    ...(isScheduled ? { schedule: JSON.stringify({ date, time, timezone }) } : {}),
    ...(delays.length === 0 ? {} : { retry: JSON.stringify(retry) }),
    ...(hasWindow ? { callingWindow: JSON.stringify({ from, until, daysOfWeek, timezone: windowZone }) } : {}),
    ...(endpoint === '' ? {} : { webhook: JSON.stringify({ endpoint, events: draft.events }) }),
    ...(draft.preDial === '' ? {} : { preDial: JSON.stringify(preDialOf(draft)) }),
    ...(stopAfter === null ? {} : { stopAfter: JSON.stringify(stopAfter) }),
    ...(stopsAt === null ? {} : { until: stopsAt }),
    ...(draft.priority === noStops.priority ? {} : { priority: draft.priority }),
    ...(draft.most === '' ? {} : { maxConcurrentCalls: draft.most }),
    ...(Object.keys(columns).length === 0 ? {} : { columns: JSON.stringify(columns) }),
    ...(plus === 'reject' || plus === 'add' ? { missingPlus: plus } : {}),
    ...(plus === 'country' ? { defaultCountry: draft.country } : {}),
    ...(placeholders === 'account' ? {} : { unfilledPlaceholders: placeholders }),
    duplicates: draft.duplicates,
  };
}

/** Names that more than one column of the file would have. */
export function twinsOf({ names }: Draft, headers: readonly string[]): readonly string[] {
  const given = headers
    .filter((header) => header !== '')
    .map((header) => (Object.hasOwn(names, header) && names[header] !== '' ? names[header] : header) ?? header);
  return [...new Set(given.filter((name, place) => given.indexOf(name) !== place))];
}

/** The file that is sent: the one that was dropped, or what was pasted. */
export const fileOf = ({ file, pasted }: Draft): File =>
  file ?? new File([csvOfPasted(pasted)], 'pasted.csv', { type: 'text/csv' });

/** The whole form, as it goes over the wire. */
export function formOf(draft: Draft): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fieldsOf(draft))) form.append(name, value);
  form.append('file', fileOf(draft));
  return form;
}

/** Says whether two drafts ask for the same. */
export const contentOf = (draft: Draft): string => JSON.stringify([draft.revision, fieldsOf(draft)]);

/** What the dry run depends on: a name that is typed on and a description change nothing of what it says. */
export function judgedContentOf(draft: Draft): string {
  const { name, description, ...judged } = fieldsOf(draft);
  return JSON.stringify([draft.revision, judged, name.trim() === '', (description?.length ?? 0) > 1_000]);
}

const shown =
  /^(?:name|description|file|phoneNumber|phoneNumberId|routingRuleId|maxConcurrentCalls|priority|until|stopAfter(?:\.(?:answered|success))?|defaultCountry|columns|schedule\.(?:date|time|timezone)|callingWindow\.(?:from|until|daysOfWeek|timezone)|retry\.retryOn|retry\.retryDelays\[\d\]|webhook\.(?:endpoint|events)|preDial(?:\.(?:url|timeoutMs|onError))?|phoneNumbers(?:\[\d+\])?|numberOnRetry|variants|variants\[\d\]\.(?:agentId|weight))$/;

/** Whether a problem at this path stands at a field of the page. */
export const isShownAtField = (path: string): boolean => shown.test(path) || path.startsWith('columns.');

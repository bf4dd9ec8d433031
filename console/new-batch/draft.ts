import type { Schemas } from '../api/schemas.js';
import type { Problem } from '../api/refused.js';
import { type Delay, delaySeconds } from '../ui/delays.js';
import { type ChosenPreDial, chosenPreDialOf, chosenPreDialValuesOf } from '../ui/pre-dial.js';
import { noStops, type Stops, maxCostOf, stopAfterOf, untilOf } from '../ui/stops.js';
import { typedNumber } from '../ui/typed-number.js';
import { callingWindowOf, isAtWindowField, noWindow, type WindowValues } from '../ui/windows.js';
import type { Outcome } from './words.js';
import { csvOfPasted } from './sheet.js';

/** An agent that is compared with others, as it is chosen. */
export interface DraftVariant {
  readonly agentId: string;
  /** Of a campaign that names one; otherwise the version that is live. */
  readonly versionId?: string;
  readonly weight: string;
}

/** What has been typed and chosen so far. Nothing of it exists for the service before the last click. */
export interface Draft extends ChosenPreDial, Stops, WindowValues {
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
  ...noWindow,
  ...{ retryOn: ['rejected', 'not-answered', 'missed'], delays: [], most: '', endpoint: '' },
  ...{ otherNumbers: [], numberOnRetry: 'same' },
  ...chosenPreDialValuesOf(undefined),
  events: ['batchcall-started', 'batchcall-completed'],
  ...noStops,
};

/** What a section of the page works with. */
export interface SectionProps {
  readonly draft: Draft;
  readonly change: (part: Partial<Draft>) => void;
  /** What the API says of the field at this path of the request; undefined: nothing. */
  readonly problemAt: (path: string) => string | undefined;
  /** All that it says. */
  readonly problems: readonly Problem[];
}

/** Whether there is anybody to call. */
export const hasRecipients = ({ file, pasted }: Draft): boolean => file !== null || pasted.trim() !== '';

/** What a batch call can be told in JSON, but for its recipients. */
export type BatchSettings = Omit<Schemas['CreateBatchCallFromRecipients'], 'recipients'> & {
  readonly columns?: Readonly<Record<string, string>>;
};

/** The settings that were chosen. Empty ones are left out. */
export function settingsOf(draft: Draft): BatchSettings {
  const { plus, placeholders, isScheduled, date, time, timezone, names, delays, endpoint } = draft;
  // Headers by the names that they get, as the API has it.
  const columns = Object.fromEntries(
    Object.entries(names).flatMap(([header, name]) => (name === '' || name === header ? [] : [[name, header]])),
  );
  const [callingWindow, preDial] = [callingWindowOf(draft), chosenPreDialOf(draft)];
  const [stopAfter, stopsAt, maxCost] = [stopAfterOf(draft), untilOf(draft), maxCostOf(draft)];
  const variants = draft.variants.map(({ weight, ...agent }) => ({ ...agent, weight: typedNumber(weight) }));
  return {
    name: draft.name,
    ...(draft.otherNumbers.length === 0
      ? { phoneNumber: draft.phoneNumber }
      : {
          phoneNumbers: [draft.phoneNumber, ...draft.otherNumbers],
          ...(delays.length === 0 ? {} : { numberOnRetry: draft.numberOnRetry }),
        }),
    ...(draft.description === '' ? {} : { description: draft.description }),
    ...(draft.routingRuleId === '' ? {} : { routingRuleId: draft.routingRuleId }),
    ...(variants.length === 0 ? {} : { variants }),
    ...(isScheduled ? { schedule: { date, time, timezone } } : {}),
    ...(delays.length === 0 ? {} : { retry: { retryOn: [...draft.retryOn], retryDelays: [...delaySeconds(delays)] } }),
    ...(callingWindow === null ? {} : { callingWindow }),
    ...(endpoint === '' ? {} : { webhook: { endpoint, events: [...draft.events] } }),
    ...(preDial === null ? {} : { preDial }),
    ...(stopAfter === null ? {} : { stopAfter }),
    ...(stopsAt === null ? {} : { until: stopsAt }),
    ...(maxCost === null ? {} : { maxCost }),
    ...(draft.priority === noStops.priority ? {} : { priority: Number(draft.priority) }),
    ...(draft.most === '' ? {} : { maxConcurrentCalls: typedNumber(draft.most) }),
    ...(Object.keys(columns).length === 0 ? {} : { columns }),
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
  for (const [name, value] of Object.entries(settingsOf(draft))) {
    form.append(name, typeof value === 'string' ? value : JSON.stringify(value));
  }
  form.append('file', fileOf(draft));
  return form;
}

/** Says whether two drafts ask for the same. */
export const contentOf = (draft: Draft): string => JSON.stringify([draft.revision, settingsOf(draft)]);

/** What the dry run depends on: a name that is typed on and a description change nothing of what it says. */
export function judgedContentOf(draft: Draft): string {
  const { name, description, ...judged } = settingsOf(draft);
  return JSON.stringify([draft.revision, judged, name.trim() === '', (description?.length ?? 0) > 1_000]);
}

const shown =
  /^(?:name|description|file|phoneNumber|phoneNumberId|routingRuleId|maxConcurrentCalls|priority|until|maxCost|stopAfter(?:\.(?:answered|success))?|defaultCountry|columns|schedule\.(?:date|time|timezone)|retry\.retryOn|retry\.retryDelays\[\d\]|webhook\.(?:endpoint|events)|preDial(?:\.(?:url|timeoutMs|onError))?|phoneNumbers(?:\[\d+\])?|numberOnRetry|variants|variants\[\d\]\.(?:agentId|weight))$/;

/** Whether a problem at this path stands at a field of the page. */
export const isShownAtField = (path: string): boolean =>
  shown.test(path) || path.startsWith('columns.') || isAtWindowField(path);

import type { Schemas } from '../api/schemas.js';
import { type Draft, emptyDraft, settingsOf } from '../new-batch/draft.js';
import { outcomes } from '../new-batch/words.js';
import { delayOf } from '../ui/delays.js';
import { chosenPreDialValuesOf } from '../ui/pre-dial.js';
import { stopsOf } from '../ui/stops.js';
import { windowValuesOf } from '../ui/windows.js';

/** Settings of batch calls as the API keeps them. */
export type Template = Schemas['Campaign']['template'];

type Known = Partial<Omit<Schemas['CreateBatchCallFromRecipients'], 'recipients' | 'schedule'>>;

/** What fields show of a template, which the API has judged. */
export function draftOfTemplate(template: Template): Draft {
  const known = template as Known;
  const { name, description, phoneNumber, phoneNumbers, numberOnRetry, routingRuleId, variants, retry } = known;
  const { webhook, callingWindow, maxConcurrentCalls, duplicates, missingPlus, defaultCountry } = known;
  const { unfilledPlaceholders } = known;
  const [first, ...otherNumbers] = phoneNumbers ?? [];
  return {
    ...emptyDraft,
    ...{ name: name ?? '', description: description ?? '', routingRuleId: routingRuleId ?? '' },
    ...{ phoneNumber: first ?? phoneNumber ?? '', otherNumbers, numberOnRetry: numberOnRetry ?? 'same' },
    variants: (variants ?? []).map(({ weight, ...agent }) => ({ ...agent, weight: String(weight) })),
    plus: defaultCountry === undefined ? (missingPlus ?? 'account') : 'country',
    country: defaultCountry ?? '',
    duplicates: duplicates ?? 'call',
    placeholders: unfilledPlaceholders ?? 'account',
    ...windowValuesOf(callingWindow),
    ...(retry === undefined
      ? {}
      : {
          retryOn: outcomes.flatMap(({ status }) => (retry.retryOn.includes(status) ? [status] : [])),
          delays: retry.retryDelays.map(delayOf),
        }),
    most: maxConcurrentCalls === undefined ? '' : String(maxConcurrentCalls),
    ...(webhook === undefined ? {} : { endpoint: webhook.endpoint, events: webhook.events.map(String) }),
    ...chosenPreDialValuesOf(known.preDial),
    ...stopsOf(known),
  };
}

/** Which number calls, whichever way it is said. */
const callers = ['phoneNumber', 'phoneNumbers', 'phoneNumberId'];

/**
 * The template with what was changed on the page. What the page did not change, or does not know, stays as it was.
 *
 * @param before what fields showed of the template
 */
export function templateOf(template: Template, before: Draft, after: Draft): Template {
  const [was, is] = [settingsOf(before), settingsOf(after)].map((settings) => new Map(Object.entries(settings)));
  if (was === undefined || is === undefined) return template;
  const differs = (name: string) => JSON.stringify(was.get(name)) !== JSON.stringify(is.get(name));
  const changed = new Set([...was.keys(), ...is.keys()].filter(differs));
  if (callers.some((name) => changed.has(name))) for (const name of callers) changed.add(name);
  const kept = Object.entries(template).filter(([name]) => !changed.has(name));
  const set = [...is].filter(([name, value]) => changed.has(name) && value !== '');
  return Object.fromEntries([...kept, ...set]);
}

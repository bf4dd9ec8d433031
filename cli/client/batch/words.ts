import { isObject } from '../../../domain/input/json-value.js';
import { scheduledAt } from '../../moments.js';
import { wrongUsage } from '../exit-codes.js';

const secondsPer: Readonly<Record<string, number>> = { '': 1, s: 1, m: 60, h: 3_600, d: 86_400 };

/** JSON is taken as it is: the service judges it. */
function jsonOf(text: string, option: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw wrongUsage(`${option}: this is not valid JSON.`);
  }
}

const isJson = (text: string): boolean => /^\s*[[{]/.test(text);

/** Neither a number that turned the call down nor one that could not be connected, unless they are named. */
const usualOutcomes = ['missed', 'not-answered'];

/**
 * `5m,1h`, `missed,rejected:5m,1h` or JSON, as the field `retry` of a batch call.
 *
 * @throws CommandFailed
 */
export function retryOf(text: string): unknown {
  if (isJson(text)) return jsonOf(text, '--retry');
  const [delays = '', outcomes] = text.split(':').reverse();
  const retryDelays = delays.split(',').map((each) => {
    const [, amount, unit = ''] = /^\s*([1-9]\d{0,6})([smhd]?)\s*$/.exec(each) ?? [];
    const factor = secondsPer[unit];
    if (amount === undefined || factor === undefined) {
      throw wrongUsage('--retry: the delay before each retry, such as 5m,1h, or missed,not-answered,rejected:5m,1h.');
    }
    return Number(amount) * factor;
  });
  return {
    retryOn: outcomes === undefined ? usualOutcomes : outcomes.split(',').map((each) => each.trim()),
    retryDelays,
  };
}

const dayNames = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'];

function daysOf(text: string): number[] | null {
  const days = text.split(',').flatMap((part) => {
    const [from, until = from] = part.split('-').map((name) => dayNames.indexOf(name) + 1);
    if (from === undefined || until === undefined || from < 1 || until < 1) return [0];
    const count = ((until - from + 7) % 7) + 1; // fri-mon goes over the end of the week
    return Array.from({ length: count }, (_, place) => ((from + place - 1) % 7) + 1);
  });
  return days.includes(0) ? null : [...new Set(days)];
}

/**
 * `09:00-17:00`, `09:00-17:00 mon-fri`, `09:00-17:00 mon,wed America/New_York` or JSON, as the field `callingWindow`.
 *
 * @throws CommandFailed
 */
export function windowOf(text: string): unknown {
  if (isJson(text)) return jsonOf(text, '--window');
  const [hours = '', ...rest] = text.trim().split(/\s+/);
  const [, from, until] = /^(\d{1,2}:\d\d)-(\d{1,2}:\d\d)$/.exec(hours) ?? [];
  const named = rest.map((word) => daysOf(word.toLowerCase()));
  const days = named.find((each) => each !== null);
  const timezone = rest.find((_, place) => named[place] === null);
  const tooMany = rest.length > (days === undefined ? 0 : 1) + (timezone === undefined ? 0 : 1);
  if (from === undefined || until === undefined || tooMany) {
    throw wrongUsage(
      '--window: hours, then days and a time zone if wanted, such as "09:00-17:00 mon-fri" or "09:00-17:00 America/New_York".',
    );
  }
  const pad = (clock: string): string => clock.padStart(5, '0');
  return {
    ...{ from: pad(from), until: pad(until) },
    ...(days === undefined ? {} : { daysOfWeek: days }),
    ...(timezone === undefined ? {} : { timezone }),
  };
}

/**
 * The field `callingWindow` of windows and of dates on which nobody is called, which are joined to the first window and count for all.
 *
 * @throws CommandFailed
 */
export function windowsOf(texts: readonly string[] = [], dates: readonly string[] = []): unknown {
  const except = dates.flatMap((text) => text.split(/[\s,]+/)).filter((date) => date !== '');
  if (texts.length === 0) {
    if (except.length === 0) return undefined;
    // Without hours the batch would take those of the account, which no dates can be added to.
    throw wrongUsage('--except needs the hours of other days: --window "00:00-24:00" for any hour.');
  }
  const [first, ...more] = texts.flatMap((text) => windowOf(text));
  if (except.length > 0 && !isObject(first)) throw wrongUsage('--except needs a --window that is an object.');
  const dated = except.length === 0 ? first : { ...(isObject(first) ? first : {}), except };
  return more.length === 0 && texts.length === 1 && !isList(texts[0] ?? '') ? dated : [dated, ...more];
}

const isList = (text: string): boolean => text.trim().startsWith('[');

/**
 * `100 answered`, `20 success` or JSON, as the field `stopAfter`.
 *
 * @throws CommandFailed
 */
export function stopOf(text: string): unknown {
  if (isJson(text)) return jsonOf(text, '--stop-after');
  const [, count, what] = /^\s*(\d{1,9})\s+(answered|success)\s*$/.exec(text) ?? [];
  if (count === undefined || what === undefined) {
    throw wrongUsage('--stop-after: how many, and of what, such as "100 answered" or "20 success".');
  }
  return { [what]: Number(count) };
}

/**
 * An address, an address and what happens without its answer (`https://example.com/ask skip`), `none` or JSON, as the field `preDial`.
 *
 * @throws CommandFailed
 */
export function preDialOf(text: string): unknown {
  if (isJson(text)) return jsonOf(text, '--pre-dial');
  const [url = '', onError, ...rest] = text.trim().split(/\s+/);
  if (url === 'none' && onError === undefined) return url;
  if (rest.length > 0) {
    throw wrongUsage(
      '--pre-dial: an address, then wait, skip or dial if wanted, such as "https://example.com/ask skip".',
    );
  }
  return { url, ...(onError === undefined ? {} : { onError }) };
}

/**
 * A time in any of the forms of {@link instantOf}, or JSON, as the field `schedule`. Without a time zone the clock of this
 * machine counts.
 *
 * @throws CommandFailed
 */
export const scheduleOf = (text: string): unknown =>
  isJson(text) ? jsonOf(text, '--schedule') : scheduledAt(text, '--schedule');

/**
 * `agt_…=70 agt_…/ver_…=30`, several or as JSON, as the field `variants`: each an agent, a version of it if one is meant, and its weight.
 *
 * @throws CommandFailed
 */
export function variantsOf(texts: readonly string[]): unknown {
  const [first = ''] = texts;
  if (texts.length === 1 && isJson(first)) return jsonOf(first, '--variant');
  return texts.map((text) => {
    const [, agentId, versionId, weight = '1'] = /^\s*([\w-]+)(?:\/([\w-]+))?(?:=(\d{1,4}))?\s*$/.exec(text) ?? [];
    if (agentId === undefined) {
      throw wrongUsage(
        '--variant: an agent and its weight, such as agt_…=70, or with a version of it, agt_…/ver_…=30.',
      );
    }
    return { agentId, ...(versionId === undefined ? {} : { versionId }), weight: Number(weight) };
  });
}

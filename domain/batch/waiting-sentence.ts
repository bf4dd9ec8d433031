import { clockWords } from '../call/clock-words.js';
import type { Waits } from './waiting.js';
import type { WaitingReason } from './waiting-reasons.js';

/** How a reason goes on after `12 wait`. `at`: the clock that shows when the first can go; null if an event decides. */
type Words = (at: string | null, waits: Waits) => string;

const number = new Intl.NumberFormat('en-US');

const opens =
  (of: string): Words =>
  (at, { count, spread }) =>
    at === null
      ? `for ${of} to open`
      : spread && count > 1
        ? `for ${of} to open, the first until ${at}`
        : `until ${at}`;

const neverOpens = 'that is open at no hour in all of their time zones';
const untilChanged = 'they end failed a day after they were queued, unless callingWindow is changed';

/** If the window of some never opens, their count is named: without it they would seem to be called later. */
const opensOrNever: Words = (at, waits) => {
  const { count, neverOpen = 0 } = waits;
  if (neverOpen === 0) return opens('the calling window')(at, waits);
  if (neverOpen === count) return `for a calling window ${neverOpens} (${untilChanged})`;
  const others = opens('the calling window')(at, waits);
  return `${others} (${number.format(neverOpen)} of them for one ${neverOpens}: ${untilChanged})`;
};

const first = (at: string | null, { count }: Waits): string =>
  at === null ? '' : count === 1 ? ` at ${at}` : `, the first at ${at}`;

const words: Readonly<Record<Exclude<WaitingReason, 'ready'>, Words>> = {
  not_started: (at) => (at === null ? 'for the start' : `for the start at ${at}`),
  paused: () => 'because the batch call is paused',
  dialing_stopped: () => 'because dialing is stopped',
  calling_window: opensOrNever,
  guardrail_hours: (at, waits) => `${opens('the calling hours')(at, waits)} by the account’s guardrails`,
  daily_limit: (at, waits) =>
    `for ${waits.count === 1 ? 'its' : 'their'} next day, because of the limit of calls a day${first(at, waits)}`,
  retry_delay: (at, waits) => `for ${waits.count === 1 ? 'a retry' : 'retries'}${first(at, waits)}`,
  callback: (at, waits) => `for ${waits.count === 1 ? 'a promised callback' : 'promised callbacks'}${first(at, waits)}`,
  not_before: (at, waits) => `for ${waits.count === 1 ? 'its' : 'their'} own time${first(at, waits)}`,
  gateway_suspended: (at) => `for the gateway, which is suspended${at === null ? '' : ` and tried again at ${at}`}`,
  number_limit: (at, waits) => `for the number to call from, because of its limits${first(at, waits)}`,
  no_agent_slot: () => 'for a free agent',
  batch_limit: () => 'for the end of another call, because of the limits of the batch call',
  gateway_limit: () => 'for a free line',
  reserved: () => 'for a free line or agent, because the others are reserved for single calls and inbound ones',
  gateway_rate: () => 'for their turn at the calls per second of the gateway',
  pre_dial: (at) =>
    at === null
      ? 'for the answer of the pre-dial endpoint'
      : `for the pre-dial endpoint, which is asked again at ${at}`,
  not_queued: (_, { count }) => `for a worker to put ${count === 1 ? 'it' : 'them'} into the queue`,
  same_number_live: () => 'for the end of another call to the same number',
};

/**
 * Why recipients wait, for a person: `9,120 wait until 09:00 in Chicago; 40 for a free line.` Most of them first. Names no one.
 *
 * @param now decides whether a time needs its day
 */
export function waitingSentence(waiting: readonly Waits[], now: Date): string {
  if (waiting.length === 0) return 'No call waits.';
  let verb = '';
  const parts = [...waiting]
    .sort((a, b) => b.count - a.count)
    .map((waits) => {
      const count = number.format(waits.count);
      if (waits.reason === 'ready') {
        verb = '';
        return `${count} ${waits.count === 1 ? 'is' : 'are'} next to be dialed`;
      }
      const said = waits.count === 1 ? ' waits' : ' wait';
      const missing = verb === said ? '' : said;
      verb = said;
      const at = waits.until === null ? null : clockWords(waits.until, waits.zone, now);
      return `${count}${missing} ${words[waits.reason](at, waits)}`;
    });
  return `${parts.join('; ')}.`;
}

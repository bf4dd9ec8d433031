const seconds = [
  [86_400, 'day', 'days'],
  [3_600, 'h', 'h'],
  [60, 'min', 'min'],
  [1, 's', 's'],
] as const;

/** A length of time for people, its two largest units: `1 h 5 min`, `2 days`. */
export function lasting(length: number): string {
  const parts: string[] = [];
  let rest = Math.round(length);
  for (const [size, one, many] of seconds) {
    const count = Math.floor(rest / size);
    if (count > 0 && parts.length < 2) parts.push(`${count} ${count === 1 ? one : many}`);
    rest -= count * size;
  }
  return parts.length === 0 ? '0 s' : parts.join(' ');
}

const joined = (words: readonly string[], last: 'and' | 'or'): string =>
  words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} ${last} ${words.at(-1) ?? ''}`;

/** Outcomes after which a number can be called again, as a person would say them. */
export const outcomes = [
  { status: 'rejected', label: 'Busy or declined', words: 'busy or declined' },
  { status: 'not-answered', label: 'It rang, and no one answered', words: 'no one answers' },
  { status: 'missed', label: 'It never rang: switched off, out of reach', words: 'out of reach' },
  { status: 'failed', label: 'It could not be connected', words: 'not connected' },
  { status: 'abandoned', label: 'Hung up before anything was said', words: 'hung up at once' },
  { status: 'voicemail', label: 'A voicemail answered', words: 'a voicemail answers' },
  {
    status: 'unsuccessful',
    label: 'Answered without success, as the agent’s analysis finds',
    words: 'answered without success',
  },
] as const;

/** An outcome that a retry can be asked for. */
export type Outcome = (typeof outcomes)[number]['status'];

/** The plan of retries as a sentence: `Tries again after 5 min and after 1 h if busy or declined.` */
export function retriesInWords(retryOn: readonly Outcome[], delays: readonly number[]): string {
  if (delays.length === 0) return 'Calls each number once.';
  const after = joined(
    delays.map((delay) => `after ${lasting(delay)}`),
    'and',
  );
  const words = outcomes.filter(({ status }) => retryOn.includes(status)).map((outcome) => outcome.words);
  const times = delays.length === 1 ? 'once' : `up to ${delays.length} times`;
  const counted = delays.length === 1 ? '' : ' Each delay begins when the call before it ends.';
  return words.length === 0
    ? 'Choose the outcomes after which a number is called again.'
    : `Tries again ${times}, ${after}, if ${joined(words, 'or')}.${counted}`;
}

/** Why numbers are held back, as the dry run names it. */
export const heldWords: Readonly<Record<string, string>> = {
  do_not_call: 'on the do-not-call list: not called',
  country_not_allowed: 'in a country that the guardrails do not allow: not called',
  premium_rate_number: 'premium-rate numbers: not called',
  satellite_number: 'satellite numbers: not called',
  calling_hours: 'whose hours never open in all their time zones: not called',
  calling_window: 'wait for the calling window',
  guardrail_hours: 'wait for the calling hours of the account',
  daily_limit: 'were called often enough for that day',
};

/** Why rows are not called, as the dry run names it. */
export const rejectedWords: Readonly<Record<string, string>> = {
  missing_number: 'without a number',
  invalid_number: 'with no possible number',
  missing_plus: 'without + and country code',
  excel_number: 'turned into 9.19E+11 by the spreadsheet',
  unsaved_formula: 'with a formula whose result is not stored',
  duplicate: 'there twice',
  do_not_call: 'on the do-not-call list',
  metadata_too_large: 'with too much text',
  invalid_not_before: 'with a not_before that is no instant',
  invalid_timezone: 'with a timezone that is none',
  unfilled_placeholder: 'that leave a placeholder empty',
};

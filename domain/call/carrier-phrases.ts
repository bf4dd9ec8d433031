/**
 * What a carrier's words add to its SIP code. A code alone does not tell a full trunk from a barred one: Twilio says 503
 * for a rate limit and for an outage, Telnyx says 403 for nearly everything and puts the cause into the phrase.
 */
export type PhraseMeaning =
  /** Too many calls a second: slow down. */
  | 'rate'
  /** Too many calls at once: hold fewer. */
  | 'channels'
  /** The trunk itself will not do it (disabled, unpaid, caller id not allowed): no other number fares better. */
  | 'gateway'
  /** The number is wrong. */
  | 'number';

export interface CarrierPhrase {
  readonly carrier: 'Twilio' | 'Telnyx' | 'any';
  readonly sipStatusCodes: readonly number[];
  /** Tested against the reason phrase, in any casing. */
  readonly pattern: RegExp;
  readonly meaning: PhraseMeaning;
  /** A phrase that the row is for. */
  readonly example: string;
}

/** Telnyx ends its phrases with its own cause, such as D35. */
const telnyx = (sipStatusCode: number, cause: string, meaning: PhraseMeaning, words: string): CarrierPhrase => ({
  carrier: 'Telnyx',
  sipStatusCodes: [sipStatusCode],
  pattern: new RegExp(`\\b${cause}\\b`, 'i'),
  meaning,
  example: `${words} ${cause}`,
});

const limits = [403, 429, 503];

/** The first row that fits decides, so a carrier's own causes come before common words. */
export const carrierPhrases: readonly CarrierPhrase[] = [
  telnyx(403, 'D1', 'channels', 'User channel limit exceeded'),
  telnyx(403, 'D2', 'channels', 'OB profile channel limit exceeded'),
  telnyx(403, 'D3', 'channels', 'Connection channel limit exceeded'),
  telnyx(403, 'D22', 'channels', 'Channel limit exceeded'),
  telnyx(403, 'D24', 'rate', 'Maximum destination rate limit exceeded'),
  telnyx(403, 'D10', 'gateway', 'Forbidden'),
  telnyx(403, 'D11', 'number', 'Destination Number is invalid'),
  telnyx(403, 'D12', 'gateway', 'Not allowed for service plan'),
  telnyx(403, 'D13', 'gateway', 'Not included in whitelisted countries'),
  telnyx(403, 'D14', 'gateway', 'Forbidden'),
  telnyx(403, 'D15', 'gateway', 'Outbound Profile is disabled'),
  telnyx(403, 'D16', 'gateway', 'Connection is disabled'),
  telnyx(403, 'D17', 'gateway', 'Account is disabled'),
  telnyx(403, 'D35', 'gateway', 'Caller Origination Number is Invalid'),
  telnyx(403, 'D36', 'gateway', 'Forbidden'),
  telnyx(404, 'D18', 'gateway', 'Not found'),
  telnyx(404, 'D19', 'gateway', 'Not found'),
  {
    carrier: 'Twilio',
    sipStatusCodes: limits,
    pattern: /\bcps\b/i,
    meaning: 'rate',
    example: 'Trunk CPS limit exceeded',
  },
  {
    carrier: 'any',
    sipStatusCodes: limits,
    pattern: /\b(channels?|concurren\w*|simultaneous|lines?|ports?)\b.*\b(limit|exceeded|maximum|reached|full|busy)\b/i,
    meaning: 'channels',
    example: 'Concurrent call limit reached',
  },
  {
    carrier: 'any',
    sipStatusCodes: limits,
    pattern:
      /\b(limit|exceeded|maximum|max|too many|no more|all)\b.*\b(channels?|concurren\w*|simultaneous|lines?|ports?)\b/i,
    meaning: 'channels',
    example: 'Too many simultaneous calls',
  },
  {
    carrier: 'any',
    sipStatusCodes: limits,
    pattern:
      /\bcalls? per second\b|\brate\b.*\b(limit\w*|exceeded)\b|\b(exceeded|too many|limit)\b.*\b(rate|requests?|calls?)\b|\bcall limit\b/i,
    meaning: 'rate',
    example: 'Too Many Requests',
  },
  {
    carrier: 'any',
    sipStatusCodes: [403],
    pattern:
      /\b(account|trunk|connection|profile|service)\b.*\b(disabled|suspended|inactive|not active|blocked|closed)\b/i,
    meaning: 'gateway',
    example: 'Account suspended',
  },
  {
    carrier: 'any',
    sipStatusCodes: [402, 403],
    pattern: /\b(unpaid|payment required|insufficient (funds|balance|credit)|balance|out of credit)\b/i,
    meaning: 'gateway',
    example: 'Insufficient funds',
  },
  {
    carrier: 'any',
    sipStatusCodes: [403],
    pattern: /\b(caller ?id|caller identity|from number|origination number|originating number)\b/i,
    meaning: 'gateway',
    example: 'Caller ID is unauthorized',
  },
];

/** What the phrase of a final response says beyond its code; null if it says nothing that is known. */
export function meaningOf(sipStatusCode: number, sipPhrase: string): PhraseMeaning | null {
  const row = carrierPhrases.find(
    ({ sipStatusCodes, pattern }) => sipStatusCodes.includes(sipStatusCode) && pattern.test(sipPhrase),
  );
  return row?.meaning ?? null;
}

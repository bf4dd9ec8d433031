import type { Problem } from '../errors.js';
import type { CallingHours, Guardrails } from './guardrails.js';

/** What the operator of the service allows at most, over all accounts. An account can only narrow it; null: no limit. */
export interface OperatorLimits {
  /** Countries that may be called, as `dialedCountry` names them. */
  readonly allowedCountries: readonly string[] | null;
  /** Hours by each callee's own clock. */
  readonly callingHours: CallingHours | null;
  readonly maxAttemptsPerNumberPerDay: number | null;
  readonly refusePremiumRate: boolean;
  readonly refuseSatellite: boolean;
  /** Calls started in a second through one gateway. */
  readonly maxCallsPerSecond: number | null;
  /** Live calls of one gateway. */
  readonly maxConcurrentCalls: number | null;
  /** Live calls of one account, over all its gateways. */
  readonly maxConcurrentCallsPerAccount: number | null;
  /** Agent slots of a region that batches leave free; `*` stands for regions that are not named. */
  readonly reservedAgentSlots: Readonly<Record<string, number>> | null;
  /** Shortest delay before a retry. */
  readonly minRetryDelaySeconds: number | null;
  /** Hosts that a SIP address may name to which a call is transferred, in lower case. */
  readonly transferHosts: readonly string[] | null;
  /** Whether numbers and SIP hosts have to be granted to an account before it can use them. */
  readonly requireGrants: boolean;
}

/** In force if the operator has set none. */
export const noOperatorLimits: OperatorLimits = {
  allowedCountries: null,
  callingHours: null,
  maxAttemptsPerNumberPerDay: null,
  refusePremiumRate: false,
  refuseSatellite: false,
  maxCallsPerSecond: null,
  maxConcurrentCalls: null,
  maxConcurrentCallsPerAccount: null,
  reservedAgentSlots: null,
  minRetryDelaySeconds: null,
  transferHosts: null,
  requireGrants: false,
};

export const hasLimits = (limits: OperatorLimits): boolean =>
  Object.values(limits).some((limit) => limit !== null && limit !== false);

/** The guardrails that an account is held to. */
export interface NarrowedGuardrails extends Omit<Guardrails, 'callingHours'> {
  /** All of them must be open; none: at any hour. */
  readonly callingHours: readonly CallingHours[];
}

const least = (one: number | null, other: number | null): number | null =>
  one === null ? other : other === null ? one : Math.min(one, other);

/**
 * What an account has set, held to what the operator allows: whatever it sets, nothing gets wider than that.
 *
 * @param homeCountries countries of the account's own numbers, allowed if it names none
 */
export function narrow(
  operator: OperatorLimits,
  account: Guardrails,
  homeCountries: readonly string[],
): NarrowedGuardrails {
  const { allowedCountries: ofOperator } = operator;
  const ofAccount = account.allowedCountries ?? homeCountries;
  return {
    callingHours: [account.callingHours, operator.callingHours].filter((hours) => hours !== null),
    maxAttemptsPerNumberPerDay: least(account.maxAttemptsPerNumberPerDay, operator.maxAttemptsPerNumberPerDay),
    allowedCountries:
      ofOperator === null ? account.allowedCountries : ofAccount.filter((country) => ofOperator.includes(country)),
    refusePremiumRate: account.refusePremiumRate || operator.refusePremiumRate,
    refuseSatellite: account.refuseSatellite || operator.refuseSatellite,
    disclosure: account.disclosure,
  };
}

const minutesPerDay = 1_440;
const minutesPerWeek = 7 * minutesPerDay;

/** The minutes of a week in which the hours are open, counted from Monday 00:00. */
function openMinutes({ from, until, daysOfWeek }: CallingHours): Set<number> {
  const minuteOf = (clock: string): number => Number(clock.slice(0, 2)) * 60 + Number(clock.slice(3));
  const begin = minuteOf(from);
  const end = minuteOf(until) > begin ? minuteOf(until) : minuteOf(until) + minutesPerDay;
  return new Set(
    daysOfWeek.flatMap((day) =>
      Array.from({ length: end - begin }, (_, minute) => ((day - 1) * minutesPerDay + begin + minute) % minutesPerWeek),
    ),
  );
}

function isWithin(hours: CallingHours, limit: CallingHours): boolean {
  const open = openMinutes(limit);
  return [...openMinutes(hours)].every((minute) => open.has(minute));
}

const hoursText = ({ from, until, daysOfWeek }: CallingHours): string =>
  `${from} to ${until}${daysOfWeek.length === 7 ? '' : ` on the days ${daysOfWeek.join(', ')}`}`;

/** The problems of guardrails that exceed what the operator allows, by field. */
export function wideningProblems(operator: OperatorLimits, account: Guardrails): Problem[] {
  const problems: Problem[] = [];
  const { callingHours, maxAttemptsPerNumberPerDay: most, allowedCountries } = operator;
  const wider = (path: string, message: string) =>
    problems.push({ path, code: 'INVALID_VALUE', message: `${message}: the operator of this service allows no more` });
  if (callingHours !== null && account.callingHours !== null && !isWithin(account.callingHours, callingHours)) {
    wider('callingHours', `must lie within ${hoursText(callingHours)}`);
  }
  if (most !== null && (account.maxAttemptsPerNumberPerDay ?? 0) > most) {
    wider('maxAttemptsPerNumberPerDay', `must be at most ${most}`);
  }
  const strangers = (account.allowedCountries ?? []).filter((country) => allowedCountries?.includes(country) === false);
  if (strangers.length > 0) wider('allowedCountries', `must not hold ${strangers.join(', ')}`);
  if (operator.refusePremiumRate && !account.refusePremiumRate) wider('refusePremiumRate', 'must be true');
  if (operator.refuseSatellite && !account.refuseSatellite) wider('refuseSatellite', 'must be true');
  return problems;
}

/** Which delays of a retry plan are shorter than the operator allows. */
export function retryProblems(
  { minRetryDelaySeconds: min }: OperatorLimits,
  retryDelays: readonly number[],
): Problem[] {
  if (min === null) return [];
  const message = `must be at least ${min} seconds: the operator of this service allows no less`;
  return retryDelays.flatMap((delay, place) =>
    delay >= min ? [] : [{ path: `retry.retryDelays[${place}]`, code: 'INVALID_VALUE', message }],
  );
}

import { type CallPrice, priceFor } from '../account/call-price.js';
import { costOfUsage, type ModelPrice } from '../account/model-price.js';
import { amountOf } from '../account/money.js';
import type { ModelUsage } from '../agent/model-usage.js';
import type { RetryPlan } from '../call/retry.js';

/** What the last attempts of an agent came to. */
export interface AnswersSoFar {
  readonly attempts: number;
  readonly answered: number;
  readonly talkSeconds: number;
}

/** What the models of an agent used in some of its last conversations. */
export interface ModelsSoFar {
  readonly conversations: number;
  readonly talkSeconds: number;
  readonly used: readonly ModelUsage[];
}

/** Nothing is known of them, or nobody asks. */
export const noModelsSoFar: ModelsSoFar = { conversations: 0, talkSeconds: 0, used: [] };

/** What decides what the calls of a batch will cost. */
export interface CostFacts {
  readonly prices: readonly CallPrice[];
  readonly modelPrices: readonly ModelPrice[];
  readonly modelsSoFar: ModelsSoFar;
  readonly gatewayId: string;
  /** Numbers that would be called. */
  readonly calls: number;
  /** Those of them that were looked at, by country. */
  readonly countries: ReadonlyMap<string, number>;
  readonly soFar: AnswersSoFar;
  readonly retry: (Pick<RetryPlan, 'retryOn'> & { readonly retryDelays: readonly number[] }) | null;
  /** null: any amount. */
  readonly maxCost: number | null;
}

export interface CostEstimate {
  /** In whole units of the currency, to 6 decimal places. */
  readonly low: number;
  readonly high: number;
  /** Numbers of a country for which there is no price: their minutes are in neither. */
  readonly withoutPrice: number;
  readonly basis: string;
}

const attemptsToKnow = 50;
const answersToKnow = 10;
/** Assumed if too few calls have been made to know better. */
const assumed = { low: { share: 0.2, talkSeconds: 30 }, high: { share: 0.6, talkSeconds: 120 } } as const;

interface Conversations {
  /** Of 1. */
  readonly share: number;
  readonly talkSeconds: number;
}

/** Limits between which the share of all lies in 95 of 100 cases, by that of some (Wilson’s interval). */
function shareBetween(of: number, some: number): { readonly low: number; readonly high: number } {
  const z = 1.96;
  const share = of / some;
  const middle = share + z ** 2 / (2 * some);
  const aside = z * Math.sqrt((share * (1 - share)) / some + z ** 2 / (4 * some ** 2));
  const whole = 1 + z ** 2 / some;
  return { low: Math.max(0, (middle - aside) / whole), high: Math.min(1, (middle + aside) / whole) };
}

/** What a conversation of this length costs on average, in millionths: half an increment is lost by rounding up. */
const costOfTalk = (price: CallPrice, talkSeconds: number): number =>
  (price.perMinuteMicros * Math.max(price.minimumSeconds, talkSeconds + price.incrementSeconds / 2)) / 60;

/** Conversations with one callee, all retries made: those with nobody end them, those with a machine or without success may not. */
function withRetries(share: number, retry: CostFacts['retry']): number {
  if (retry === null) return share;
  const tries = retry.retryDelays.length + 1;
  const afterAnswers = retry.retryOn.some((outcome) => outcome === 'voicemail' || outcome === 'unsuccessful');
  return afterAnswers ? share * tries : 1 - (1 - share) ** tries;
}

const percent = (share: number): number => Math.round(share * 100);

/** What the models of a conversation cost, and how that is known. */
interface ModelCost {
  /** In millionths. */
  readonly perTalkSecond: number;
  /** A sentence after a space; empty: the account has no prices of models. */
  readonly basis: string;
}

function modelCostOf({ modelPrices, modelsSoFar: { conversations, talkSeconds, used } }: CostFacts): ModelCost {
  if (modelPrices.length === 0) return { perTalkSecond: 0, basis: '' };
  if (conversations < answersToKnow) {
    return {
      perTalkSecond: 0,
      basis: ' What models use is not in it: too few conversations of this agent tell how much.',
    };
  }
  const perTalkSecond = costOfUsage(modelPrices, used) / talkSeconds;
  const perMinute = amountOf(Math.round(perTalkSecond * 60));
  return {
    perTalkSecond,
    basis: ` Models cost ${perMinute} a minute, as in ${conversations} conversations of this agent.`,
  };
}

/** What all calls together cost, if so many come to a conversation. */
function sumOf(facts: CostFacts, models: ModelCost, { share, talkSeconds }: Conversations): number {
  const { prices, gatewayId, calls, countries } = facts;
  const looked = [...countries.values()].reduce((sum, count) => sum + count, 0);
  const oneEach = [...countries].reduce((sum, [country, count]) => {
    const price = priceFor(prices, gatewayId, country);
    return sum + count * ((price === null ? 0 : costOfTalk(price, talkSeconds)) + models.perTalkSecond * talkSeconds);
  }, 0);
  return looked === 0 ? 0 : amountOf(Math.round((calls / looked) * share * oneEach));
}

function withoutPrice({ prices, gatewayId, calls, countries }: CostFacts): number {
  const looked = [...countries.values()].reduce((sum, count) => sum + count, 0);
  const without = [...countries].reduce(
    (sum, [country, count]) => sum + (priceFor(prices, gatewayId, country) === null ? count : 0),
    0,
  );
  return looked === 0 ? 0 : Math.round((without * calls) / looked);
}

/** What the calls of a batch are likely to cost. */
export function costEstimate(facts: CostFacts): CostEstimate {
  const { soFar, retry, maxCost } = facts;
  const known = soFar.attempts >= attemptsToKnow && soFar.answered >= answersToKnow;
  const share = shareBetween(Math.min(soFar.answered, soFar.attempts), Math.max(soFar.attempts, 1));
  const talkSeconds = soFar.talkSeconds / soFar.answered;
  const low: Conversations = known ? { share: share.low, talkSeconds } : assumed.low;
  const high: Conversations = known ? { share: share.high, talkSeconds } : assumed.high;
  const models = modelCostOf(facts);
  const highest = sumOf(facts, models, { ...high, share: withRetries(high.share, retry) });
  const [least, most] = [percent(low.share), percent(high.share)];
  const shares = `${least === most ? String(most) : `${least} to ${most}`} of 100 attempts answered`;
  const calling =
    retry === null ? 'Each number is called once' : 'Low: each number is called once; high: with all retries';
  const because = known
    ? `${shares}, for ${Math.round(talkSeconds)} s each, as the last ${soFar.attempts} attempts of this agent were`
    : `${shares}, for ${assumed.low.talkSeconds} to ${assumed.high.talkSeconds} s each, as is assumed if too few have been made`;
  const until =
    maxCost !== null && highest > maxCost ? `It stops when it has cost ${maxCost}.` : 'By the prices of now.';
  return {
    low: sumOf(facts, models, low),
    high: highest,
    withoutPrice: withoutPrice(facts),
    basis: `${because}. ${calling}.${models.basis} ${until}`,
  };
}

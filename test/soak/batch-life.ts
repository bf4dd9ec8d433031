import { setTimeout as delay } from 'node:timers/promises';
import { countSuccesses, readBatch, readEnd } from './answers.js';
import {
  type BatchPlan,
  chooseContest,
  chooseMaxCost,
  choosePlan,
  chooseRetry,
  chooseStopAfter,
  chooseStopAfterSuccess,
  chooseStopAt,
  chooseWindows,
  windowsBody,
} from './batch-plan.js';
import { type AccountBook, type BatchBook, createBans, createSetting } from './books.js';
import type { Asked, Customer } from './customer.js';
import type { Wishes } from './judge/evidence.js';
import type { Chance } from './random.js';
import { chooseWishes, close, type Deed, recipientDeeds, recipientOf } from './recipients.js';

export interface BatchLifeParts {
  readonly customer: Customer;
  readonly account: AccountBook;
  readonly chance: Chance;
  readonly from: string;
  readonly endpoint: string;
  readonly rules: Rules;
  readonly numbers: (count: number) => string[];
  /** The load ends: no more orders but those that let what is there come to its end. */
  readonly closing: AbortSignal;
  /** Told as soon as the batch is known. */
  readonly booked: (book: BatchBook) => void;
}

/** Rules of the number without limits and of those with limits. */
export interface Rules {
  readonly plain: string;
  /** Its agent analyzes conversations. */
  readonly analyzed: string;
}

const pollMs = 1_500;
const ended = new Set(['completed', 'cancelled', 'parse_failed']);

/** One batch from its upload to its end, with what its customer does to it meanwhile. */
export async function liveBatch(parts: BatchLifeParts): Promise<void> {
  const { chance, closing } = parts;
  const plan = choosePlan(chance, Date.now(), {
    from: parts.from,
    limited: parts.account.numbers.map(({ e164 }) => e164),
  });
  const book = await create(parts, plan);
  if (book === undefined) return;
  parts.booked(book);
  const isClosing = () => closing.aborted;
  for (let deeds = chance.whole(0, plan.open ? 14 : 8); deeds > 0 && !isClosing(); deeds--) {
    await delay(chance.between(300, 5_000), undefined, { signal: closing }).catch(() => undefined);
    if (isClosing() || (await isOver(parts, book))) break;
    await doSomething(parts, book);
  }
  await untilOver(parts, book);
}

/** Two batches that contend for the gateway of their number by nothing but their priorities. */
export async function contend(parts: BatchLifeParts, contest: string): Promise<void> {
  const plans = chooseContest(parts.chance, parts.from);
  const books: BatchBook[] = [];
  for (const plan of plans) {
    const book = await create(parts, plan, contest);
    if (book === undefined) throw new Error('A batch without a start of its own was refused.');
    parts.booked(book);
    books.push(book);
  }
  await Promise.all(books.map((book) => untilOver(parts, book)));
}

async function create(
  { customer, account, chance, endpoint, rules, numbers: next }: BatchLifeParts,
  plan: BatchPlan,
  contest?: string,
): Promise<BatchBook | undefined> {
  const numbers = next(plan.size);
  const name = `Batch of ${plan.size}, ${chance.whole(0, 1_000_000)}`;
  const fields = {
    ...fieldsOfCallers(plan.callers),
    ...{ routingRuleId: plan.stopAfterSuccess === null ? rules.plain : rules.analyzed, priority: plan.priority },
    ...{ name, webhook: { endpoint, events: ['batchcall-started', 'batchcall-completed'] } },
    ...(plan.retry === null ? {} : { retry: plan.retry }),
    ...(plan.window === null ? {} : { callingWindow: windowsBody(plan.window) }),
    ...(plan.mostAtOnce === null ? {} : { maxConcurrentCalls: plan.mostAtOnce }),
    ...(plan.schedule === null ? {} : { schedule: plan.schedule }),
    ...(plan.open ? { open: true } : {}),
    ...(plan.stopAfterAnswered === null ? {} : { stopAfter: { answered: plan.stopAfterAnswered } }),
    ...(plan.stopAfterSuccess === null ? {} : { stopAfter: { success: plan.stopAfterSuccess } }),
    ...(plan.maxCost === null ? {} : { maxCost: plan.maxCost }),
    ...(plan.stopAtMs === null ? {} : { until: new Date(plan.stopAtMs).toISOString() }),
  };
  const wishes = plan.json
    ? new Map(numbers.map((number, place) => [number, chooseWishes(chance, `Person ${place}`)]))
    : new Map<string, Wishes>();
  const json = { ...fields, recipients: [...wishes].map(([number, each]) => recipientOf(number, each)) };
  const file = ['phone_number,name', ...numbers.map((number, place) => `${number},Person ${place}`)].join('\n');
  const form = (): FormData => {
    const made = new FormData();
    for (const [field, value] of Object.entries(fields)) {
      made.append(field, typeof value === 'string' ? value : JSON.stringify(value));
    }
    made.append('file', new Blob([file]), 'people.csv');
    return made;
  };
  const answer = await customer.ask({
    method: 'POST',
    path: '/v1/batch-calls',
    body: plan.json ? json : form,
    once: true,
    about: [name, ...numbers],
  });
  // A start in the minute that was running, or the instant of a stop, may have passed before the request was answered.
  const passesMs = Math.min(plan.startsAtMs ?? Infinity, plan.stopAtMs ?? Infinity);
  if (answer.status === 400 && answer.answeredAtMs >= passesMs) return undefined;
  if (answer.status !== 201) throw new Error(`A batch was refused: ${answer.status} ${JSON.stringify(answer.body)}`);
  return {
    ...{ account: account.account, batchId: String(answer.body.batchId), numbers, startsAtMs: plan.startsAtMs },
    ...{ uploaded: numbers.length, doubtful: new Set(), open: createSetting(plan.open), skips: new Map(), orders: [] },
    wishes: new Map([...wishes].map(([number, each]) => [number, createSetting(each)])),
    ...{ retry: createSetting(plan.retry), window: createSetting(plan.window) },
    ...{ callers: plan.callers, stopAt: createSetting(plan.stopAtMs), stopSeenMs: Infinity },
    ...{ stopAfterAnswered: createSetting(plan.stopAfterAnswered), maxCost: createSetting(plan.maxCost) },
    ...{ stopAfterSuccess: createSetting(plan.stopAfterSuccess), successesSeen: [], priority: plan.priority, contest },
    ...{ mostAtOnce: createSetting(plan.mostAtOnce), bans: createBans(), cancelAsked: false, end: undefined },
  };
}

/** One number as such, several as a list. */
const fieldsOfCallers = ({ numbers, onRetry }: BatchPlan['callers']): object =>
  numbers.length === 1 ? { phoneNumber: numbers[0] } : { phoneNumbers: numbers, numberOnRetry: onRetry };

const order = ({ customer }: BatchLifeParts, { batchId }: BatchBook, verb: string, body: object = {}): Promise<Asked> =>
  customer.ask({ method: 'POST', path: `/v1/batch-calls/${batchId}/${verb}`, body });

const patch = ({ customer }: BatchLifeParts, { batchId }: BatchBook, body: object): Promise<Asked> =>
  customer.ask({ method: 'PATCH', path: `/v1/batch-calls/${batchId}`, body });

async function doSomething(parts: BatchLifeParts, book: BatchBook): Promise<void> {
  const { chance, customer, account, closing } = parts;
  const deeds: Deed[] = [
    ...recipientDeeds(parts, book),
    {
      weight: 4,
      async carryOut() {
        await book.bans.begin('pause', () => order(parts, book, 'pause'));
        await delay(chance.between(500, 9_000), undefined, { signal: closing }).catch(() => undefined);
        await book.bans.end(() => order(parts, book, 'resume'));
      },
    },
    {
      weight: 2,
      async carryOut() {
        const retry = chooseRetry(chance);
        await book.retry.change(retry, () => patch(parts, book, { retry }));
      },
    },
    {
      weight: 2,
      async carryOut() {
        const window = chance.happens(0.4) ? null : chooseWindows(chance, Date.now());
        await book.window.change(window, () => patch(parts, book, { callingWindow: windowsBody(window) }));
      },
    },
    {
      weight: 2,
      async carryOut() {
        const most = chance.happens(0.3) ? null : chance.whole(1, 6);
        await book.mostAtOnce.change(most, () => patch(parts, book, { maxConcurrentCalls: most }));
      },
    },
    {
      weight: 1,
      async carryOut() {
        // Either of the two replaces the other: each batch keeps to its own.
        const bySuccess = stopsBySuccess(book);
        const most = chance.happens(0.4) ? null : bySuccess ? chooseStopAfterSuccess(chance) : chooseStopAfter(chance);
        const stopAfter = most === null ? null : bySuccess ? { success: most } : { answered: most };
        const setting = bySuccess ? book.stopAfterSuccess : book.stopAfterAnswered;
        await setting.change(most, () => patch(parts, book, { stopAfter }));
      },
    },
    {
      weight: 1,
      async carryOut() {
        const maxCost = chance.happens(0.4) ? null : chooseMaxCost(chance);
        await book.maxCost.change(maxCost, () => patch(parts, book, { maxCost }));
      },
    },
    {
      weight: 1,
      async carryOut() {
        const stopAtMs = chance.happens(0.4) ? null : chooseStopAt(chance, Math.max(Date.now(), book.startsAtMs ?? 0));
        const until = stopAtMs === null ? null : new Date(stopAtMs).toISOString();
        await book.stopAt.change(stopAtMs, () => patch(parts, book, { until }));
      },
    },
    {
      weight: 1.5,
      async carryOut() {
        book.cancelAsked = true;
        const mode = chance.pick(['graceful', 'immediate']);
        await book.bans.begin('cancel', () => order(parts, book, 'cancel', { mode }));
      },
    },
    {
      weight: 2,
      async carryOut() {
        const numbers = book.numbers.filter(() => chance.happens(3 / book.numbers.length)).slice(0, 5);
        if (numbers.length === 0) return;
        for (const number of numbers)
          account.optOuts.set(number, { why: 'do-not-call', fromMs: Infinity, untilMs: Infinity });
        const body = { phoneNumbers: numbers, reason: 'Asked not to be called' };
        const { status, answeredAtMs } = await customer.ask({
          method: 'POST',
          path: '/v1/do-not-call',
          body,
          once: true,
          about: numbers,
        });
        if (status !== 201) throw new Error(`An opt-out was answered ${status}.`);
        for (const number of numbers)
          account.optOuts.set(number, { why: 'do-not-call', fromMs: answeredAtMs, untilMs: Infinity });
      },
    },
  ];
  await chance.weighted(deeds).carryOut();
}

const stopsBySuccess = ({ stopAfterSuccess }: BatchBook): boolean => stopAfterSuccess.versions[0]?.value !== null;

async function isOver({ customer }: BatchLifeParts, book: BatchBook): Promise<boolean> {
  if (stopsBySuccess(book)) {
    const count = await countSuccesses(customer, book.batchId);
    book.successesSeen.push({ count, atMs: Date.now() });
  }
  const { status, stoppedBy } = await readBatch(customer, book.batchId);
  if (stoppedBy !== undefined) book.stopSeenMs = Math.min(book.stopSeenMs, Date.now());
  if (!ended.has(status)) return false;
  book.end ??= await readEnd(customer, book.batchId);
  return true;
}

/**
 * Waits for the end, and removes what may keep it from coming: that more are expected, a closed window, a pause. The API is asked what holds, not
 * the books: a request that was never answered may have been carried out after later ones.
 */
async function untilOver(parts: BatchLifeParts, book: BatchBook): Promise<void> {
  const patienceMs = book.startsAtMs === undefined ? 100_000 : 160_000;
  let openMs = Date.now() + patienceMs;
  while (!(await isOver(parts, book))) {
    if ((await readBatch(parts.customer, book.batchId)).open) await close(parts, book);
    if (parts.closing.aborted || Date.now() > openMs) {
      const { paused, callingWindow, maxConcurrentCalls } = await readBatch(parts.customer, book.batchId);
      if (callingWindow !== undefined) {
        await book.window.change(null, () => patch(parts, book, { callingWindow: null }));
      }
      if (parts.closing.aborted && maxConcurrentCalls !== undefined) {
        await book.mostAtOnce.change(null, () => patch(parts, book, { maxConcurrentCalls: null }));
      }
      if (paused) await book.bans.end(() => order(parts, book, 'resume'));
      openMs = Date.now() + 20_000;
    }
    await delay(pollMs);
  }
}

import { setTimeout as delay } from 'node:timers/promises';
import { someRecords } from './answers.js';
import type { BatchLifeParts } from './batch-life.js';
import { type BatchBook, createSetting } from './books.js';
import type { Asked } from './customer.js';
import type { CallOrder, Wishes } from './judge/evidence.js';
import type { Chance } from './random.js';

/** Something that a customer may do, and how often compared to others. */
export interface Deed {
  readonly weight: number;
  carryOut(): Promise<void>;
}

type RecordSeen = Awaited<ReturnType<typeof someRecords>>[number];

const mostAdded = 25;
const settledStatuses = 'answered,failed,not-answered,rejected,missed,abandoned,cancelled';

/** What somebody is added with. */
export function chooseWishes(chance: Chance, name: string): Wishes {
  return {
    name,
    notBeforeMs: chance.happens(0.2) ? Date.now() + chance.whole(2_000, 25_000) : null,
    priority: chance.happens(0.3) ? chance.whole(1, 9) : null,
  };
}

/** A recipient as a request has it. Its number is its id. */
export const recipientOf = (number: string, { notBeforeMs, priority, name }: Wishes): object => ({
  ...{ phoneNumber: number, id: number, metadata: { name } },
  ...(notBeforeMs === null ? {} : { notBefore: new Date(notBeforeMs).toISOString() }),
  ...(priority === null ? {} : { priority }),
});

const post = ({ customer }: BatchLifeParts, path: string, rest: { body?: object; once?: true; about: string[] }) =>
  customer.ask({ method: 'POST', path, body: {}, ...rest });

/** An answer that neither does what was asked for nor says that it is too late. */
function requireDoneOrLate({ status, body }: Asked, what: string): void {
  if (status !== 200 && status !== 409) throw new Error(`${what} was answered ${status} ${JSON.stringify(body)}`);
}

/** What a customer does about single recipients, and about a batch that stays open for more. */
export function recipientDeeds(parts: BatchLifeParts, book: BatchBook): Deed[] {
  const { chance, customer } = parts;
  const path = `/v1/batch-calls/${book.batchId}`;

  /** Somebody in one of these statuses. */
  async function someone(status: string): Promise<RecordSeen | undefined> {
    const found = await someRecords(customer, book.batchId, status);
    return found.length === 0 ? undefined : chance.pick(found);
  }

  /** Adds people until it is answered; without a key, because their ids alone must keep them from being added twice. */
  async function add(): Promise<void> {
    const numbers = parts.numbers(chance.happens(0.05) ? chance.whole(200, 400) : chance.whole(1, mostAdded));
    const recipients = numbers.map((number) => {
      const wishes = chooseWishes(chance, `Added ${number}`);
      book.wishes.set(number, createSetting(wishes));
      return recipientOf(number, wishes);
    });
    for (const number of numbers) book.doubtful.add(number);
    book.numbers.push(...numbers);
    const answer = await post(parts, `${path}/recipients`, { body: { recipients }, about: numbers });
    requireDoneOrLate(answer, 'Adding recipients');
    if (answer.status !== 200) return;
    const { accepted, alreadyPresent } = answer.body;
    if (Number(accepted) + Number(alreadyPresent) !== numbers.length) {
      throw new Error(`Adding ${numbers.length} recipients was answered ${JSON.stringify(answer.body)}`);
    }
    for (const number of numbers) book.doubtful.delete(number);
  }

  async function skip(): Promise<void> {
    const record = await someone('pending,retrying');
    if (record === undefined || book.skips.has(record.phoneNumber)) return;
    const { phoneNumber, recordId } = record;
    book.skips.set(phoneNumber, { why: 'skip', fromMs: Infinity, untilMs: Infinity });
    const answer = await post(parts, `${path}/records/${recordId}/skip`, { about: [phoneNumber] });
    requireDoneOrLate(answer, 'Skipping a recipient');
    if (answer.status === 200) {
      book.skips.set(phoneNumber, { why: 'skip', fromMs: answer.answeredAtMs, untilMs: Infinity });
    } else if (answer.ghostUntilMs === 0) book.skips.delete(phoneNumber);
  }

  async function changeRecord(): Promise<void> {
    const record = await someone('pending');
    if (record === undefined) return;
    const { phoneNumber: number, recordId } = record;
    const place = book.numbers.indexOf(number);
    const first = { notBeforeMs: null, priority: null, name: `Person ${place}` };
    const wishes = book.wishes.get(number) ?? createSetting<Wishes>(first);
    book.wishes.set(number, wishes);
    const wanted = chooseWishes(chance, `Changed ${chance.whole(0, 1_000_000)}`);
    const { notBeforeMs, priority, name } = wanted;
    const notBefore = notBeforeMs === null ? null : new Date(notBeforeMs).toISOString();
    const answer = await wishes.change(wanted, () =>
      customer.ask({
        ...{ method: 'PATCH', path: `${path}/records/${recordId}`, about: [number] },
        body: { notBefore, priority, metadata: { name } },
      }),
    );
    requireDoneOrLate(answer, 'Changing a recipient');
  }

  /** Notes the order before it is sent, and forgets it if it was refused. */
  async function orderCall(order: CallOrder, url: string, body: object): Promise<void> {
    const { number } = order;
    const skipped = book.skips.get(number);
    if (skipped !== undefined)
      book.skips.set(number, { ...skipped, untilMs: Math.min(skipped.untilMs, order.askedAtMs) });
    const place = book.orders.push(order) - 1;
    const answer = await post(parts, url, { body, once: true, about: [number] });
    requireDoneOrLate(answer, `A call ${order.kind}`);
    if (answer.status === 200) book.orders[place] = { ...order, answeredAtMs: answer.answeredAtMs };
    else if (answer.ghostUntilMs === 0) {
      book.orders.splice(place, 1);
      if (skipped !== undefined) book.skips.set(number, skipped);
    }
  }

  async function callAgain(): Promise<void> {
    const record = await someone(settledStatuses);
    if (record === undefined) return;
    const { phoneNumber: number, recordId } = record;
    const askedAtMs = Date.now();
    const order = { kind: 'again', number, askedAtMs, dueMs: askedAtMs, answeredAtMs: Infinity } as const;
    await orderCall(order, `${path}/records/${recordId}/call-again`, {});
  }

  async function promise(): Promise<void> {
    const record = await someone(`${settledStatuses},retrying,in-progress,dialing`);
    if (record === undefined || record.status === 'cancelled') return;
    const { phoneNumber: number, recordId } = record;
    const askedAtMs = Date.now();
    const dueMs = askedAtMs + chance.whole(-1_000, 15_000);
    const order = { kind: 'callback', number, askedAtMs, dueMs, answeredAtMs: Infinity } as const;
    await orderCall(order, `${path}/records/${recordId}/callback`, { at: new Date(dueMs).toISOString() });
  }

  const several = (deed: () => Promise<void>) => async () => {
    for (let left = chance.whole(1, 6); left > 0; left -= 1) await deed();
  };
  const isOpen = book.open.versions.at(-1)?.value === true;
  return [
    { weight: isOpen ? 6 : 1, carryOut: several(add) },
    { weight: 4, carryOut: several(skip) },
    { weight: 4, carryOut: several(changeRecord) },
    { weight: 12, carryOut: several(callAgain) },
    { weight: 12, carryOut: several(promise) },
    {
      weight: isOpen ? 0.7 : 1.5,
      carryOut: async () => {
        if (isOpen) await close(parts, book);
        else await open(parts, book);
        await delay(chance.between(0, 3_000), undefined, { signal: parts.closing }).catch(() => undefined);
      },
    },
  ];
}

const open = ({ customer }: BatchLifeParts, { batchId, open: state }: BatchBook): Promise<Asked> =>
  state.change(true, () => customer.ask({ method: 'PATCH', path: `/v1/batch-calls/${batchId}`, body: { open: true } }));

/** Says that no more are to come. */
export const close = ({ customer }: BatchLifeParts, { batchId, open: state }: BatchBook): Promise<Asked> =>
  state.change(false, () => customer.ask({ method: 'POST', path: `/v1/batch-calls/${batchId}/close`, body: {} }));

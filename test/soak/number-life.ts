import { z } from 'zod';
import { type AccountBook, createSetting, type NumberBook } from './books.js';
import type { Asked, Customer } from './customer.js';
import type { Chance } from './random.js';
import { limits } from './test-env.js';

interface Owner {
  readonly book: AccountBook;
  readonly customer: Customer;
}

const Numbers = z.looseObject({
  data: z.array(
    z.looseObject({
      phoneNumber: z.looseObject({
        phoneNumberId: z.string(),
        e164: z.string(),
        timezone: z.string().nullable(),
        callsToday: z.number().nullable(),
        maxCallsPerDay: z.number().nullable(),
        minSecondsBetweenCalls: z.number().nullable(),
      }),
    }),
  ),
});

const Gateways = z.looseObject({ data: z.array(z.looseObject({ reservedCalls: z.number() })) });

/** Calls a day, and seconds between two of them, that each of the numbers begins with. The second never has a limit a day. */
const firstLimits = [
  { maxCallsPerDay: 12, minSecondsBetweenCalls: null },
  { maxCallsPerDay: null, minSecondsBetweenCalls: 2 },
  { maxCallsPerDay: 20, minSecondsBetweenCalls: 3 },
] as const;
/** So few lines are left for batches that they want more. */
const fewestLines = 2;
const mostLines = 8;

async function listNumbers(customer: Customer) {
  const { body } = await customer.ask({ method: 'GET', path: '/v2/sip/phone-numbers?perPage=100' });
  return Numbers.parse(body).data.map(({ phoneNumber }) => phoneNumber);
}

const patchNumber = async (customer: Customer, id: string, body: object): Promise<Asked> => {
  const answer = await customer.ask({ method: 'PATCH', path: `/v2/sip/phone-numbers/${id}`, body });
  if (answer.status !== 200) throw new Error(`Limits were answered ${answer.status} ${JSON.stringify(answer.body)}`);
  return answer;
};

/** Gives the numbers their first limits, before anybody calls from them. */
export async function limitNumbers(customer: Customer, e164s: readonly string[]): Promise<NumberBook[]> {
  const found = await listNumbers(customer);
  const books: NumberBook[] = [];
  for (const [place, e164] of e164s.entries()) {
    const id = found.find((number) => number.e164 === e164)?.phoneNumberId ?? '';
    const wanted = firstLimits[place % firstLimits.length] ?? firstLimits[0];
    const { body } = await patchNumber(customer, id, wanted);
    const [changed] = Numbers.parse({ data: [body] }).data;
    books.push({
      ...{ e164, id, timezone: changed?.phoneNumber.timezone ?? 'UTC', count: undefined },
      mostPerDay: createSetting<number | null>(wanted.maxCallsPerDay),
      secondsBetween: createSetting<number | null>(wanted.minSecondsBetweenCalls),
    });
  }
  return books;
}

/** Another limit of one number: a few calls more than it has made today, or another least time between them. */
export async function changeLimits({ book, customer }: Owner, chance: Chance): Promise<void> {
  const number = chance.pick(book.numbers);
  const isLimitedByDay = number.mostPerDay.versions.at(-1)?.value !== null;
  if (isLimitedByDay && chance.happens(0.7)) {
    const made = (await listNumbers(customer)).find(({ e164 }) => e164 === number.e164)?.callsToday ?? 0;
    const maxCallsPerDay = Math.max(1, made + chance.whole(0, 25));
    await number.mostPerDay.change(maxCallsPerDay, () => patchNumber(customer, number.id, { maxCallsPerDay }));
  } else {
    const minSecondsBetweenCalls = chance.whole(1, 4);
    await number.secondsBetween.change(minSecondsBetweenCalls, () =>
      patchNumber(customer, number.id, { minSecondsBetweenCalls }),
    );
  }
}

/**
 * Takes away what may keep batches from their end. The API is asked what holds: a request that was never answered may have been
 * carried out after later ones.
 */
export async function liftLimits({ book, customer }: Owner): Promise<void> {
  const found = await listNumbers(customer);
  for (const { id, e164, mostPerDay, secondsBetween } of book.numbers) {
    const now = found.find((number) => number.e164 === e164);
    if (now?.maxCallsPerDay !== null)
      await mostPerDay.change(null, () => patchNumber(customer, id, { maxCallsPerDay: null }));
    if (now?.minSecondsBetweenCalls !== null)
      await secondsBetween.change(null, () => patchNumber(customer, id, { minSecondsBetweenCalls: null }));
  }
}

export async function changeReserve(owner: Owner, chance: Chance): Promise<void> {
  await reserve(owner, chance.happens(0.5) ? 0 : limits.maxConcurrentCalls - chance.whole(fewestLines, mostLines));
}

/** Gives batches all lines. As with limits, the API is asked what holds. */
export async function liftReserve(owner: Owner): Promise<void> {
  const { body } = await owner.customer.ask({ method: 'GET', path: '/v2/sip/outbound-gateways' });
  if (Gateways.parse(body).data.some(({ reservedCalls }) => reservedCalls > 0)) await reserve(owner, 0);
}

async function reserve({ book, customer }: Owner, reservedCalls: number): Promise<void> {
  await book.reserved.change(reservedCalls, async () => {
    const [id = ''] = book.gatewayIds;
    const path = `/v2/sip/outbound-gateways/${id}`;
    const answer = await customer.ask({ method: 'PATCH', path, body: { reservedCalls } });
    if (answer.status !== 200)
      throw new Error(`A reserve was answered ${answer.status} ${JSON.stringify(answer.body)}`);
    return answer;
  });
}

/** Notes how many calls the API counts for each number. */
export async function countNumbers({ book, customer }: Owner): Promise<void> {
  const askedAtMs = Date.now();
  for (const { e164, callsToday } of await listNumbers(customer)) {
    const number = book.numbers.find((each) => each.e164 === e164);
    if (number !== undefined && callsToday !== null) number.count = { calls: callsToday, askedAtMs };
  }
}

import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { readCall, successProperty } from './answers.js';
import { contend, liveBatch, type Rules } from './batch-life.js';
import { type AccountBook, type BatchBook, createBans, createSetting, type SingleBook } from './books.js';
import { type Customer, createCustomer } from './customer.js';
import type { Journal } from './journal.js';
import type { Violation } from './judge/evidence.js';
import { changeLimits, changeReserve, countNumbers, liftLimits, liftReserve, limitNumbers } from './number-life.js';
import { createPeople } from './people.js';
import { chanceOf } from './random.js';
import { limits, type SoakEnv } from './test-env.js';

/** What the customers do, and the books that they keep of it. */
export interface Load {
  readonly accounts: readonly AccountBook[];
  readonly batches: readonly BatchBook[];
  readonly singles: readonly SingleBook[];
  readonly customerOf: (account: string) => Customer | undefined;
  /** Answers that the API must not give, and a customer cannot go on with. */
  readonly failures: readonly Violation[];
  /** Goes on until `closing`, then lets everything come to its end; resolves when it has, or `given up` aborts. */
  run(closing: AbortSignal): Promise<void>;
}

const batchesAtOnce = 3;
const liveStatuses = new Set(['initiated', 'ringing', 'answered']);

interface Party {
  readonly book: AccountBook;
  readonly customer: Customer;
  readonly from: string;
  readonly endpoint: string;
  readonly rules: Rules;
}

export async function openLoad(testEnv: SoakEnv, seed: number, journal: Journal, givenUp: AbortSignal): Promise<Load> {
  const people = createPeople(chanceOf(seed, 'people'));
  const batches: BatchBook[] = [];
  const singles: SingleBook[] = [];
  const failures: Violation[] = [];
  const parties: Party[] = [];
  for (const [place, { account, token }] of testEnv.accounts.entries()) {
    const customer = createCustomer(account, token, { urls: testEnv.apiUrls, journal, signal: givenUp });
    parties.push(await setUpAccount(customer, place, testEnv));
  }

  /** Repeats one kind of work until the load closes. An answer that must not be is told and does not end the soak. */
  async function repeat(
    party: Party,
    subject: string,
    work: (name: string) => Promise<void>,
    closing: AbortSignal,
  ): Promise<void> {
    for (let round = 0; !closing.aborted; round++) {
      try {
        await work(`${subject} ${round}`);
      } catch (error) {
        if (givenUp.aborted) return;
        const reason = (error instanceof Error ? error.message : String(error)).replaceAll(/\s+/g, ' ');
        failures.push({
          rule: 'refused',
          what: `${subject}: ${reason}`,
          atMs: Date.now(),
          about: [party.book.account],
        });
        await delay(2_000);
      }
    }
  }

  const pause = (milliseconds: number, closing: AbortSignal): Promise<unknown> =>
    delay(milliseconds, undefined, { signal: closing }).catch(() => undefined);

  async function callOnce({ book, customer, from }: Party, name: string, closing: AbortSignal): Promise<void> {
    const chance = chanceOf(seed, name);
    await pause(chance.between(1_000, 5_000), closing);
    const [number = ''] = people.next(1);
    const own = chance.happens(0.3) ? chance.pick(book.numbers).e164 : from;
    const body = { sipCallTo: number, sipCallFrom: own };
    const unknown: SingleBook = { account: book.account, number, callId: '', end: undefined };
    const place = singles.push(unknown) - 1;
    const answer = await customer.ask({ method: 'POST', path: '/v2/sip/call', body, once: true, about: [number] });
    if (answer.status === 403) return; // dialing is stopped
    const { data } = answer.body;
    const callId = typeof data === 'object' && data !== null && 'id' in data ? String(data.id) : '';
    if (callId === '') throw new Error(`A call was answered ${answer.status} ${JSON.stringify(answer.body)}`);
    const single: SingleBook = { ...unknown, callId: callId.replace(/^call_/, '') };
    singles[place] = single;
    for (;;) {
      const record = await readCall(customer, callId);
      if (!liveStatuses.has(record.status)) {
        single.end = record;
        return;
      }
      await delay(1_500);
    }
  }

  async function stopAll({ book, customer }: Party, name: string, closing: AbortSignal): Promise<void> {
    const chance = chanceOf(seed, name);
    await pause(chance.between(35_000, 90_000), closing);
    if (closing.aborted) return;
    const hangUp = chance.happens(0.3);
    const fromMs = Date.now();
    if (hangUp) book.hangUps.push({ fromMs, untilMs: Infinity });
    const { answeredAtMs, ghostUntilMs } = await book.bans.begin('stop-dialing', () =>
      customer.ask({ method: 'POST', path: '/v1/account/stop-dialing', body: { hangUp } }),
    );
    if (hangUp) book.hangUps.splice(-1, 1, { fromMs, untilMs: Math.max(answeredAtMs, ghostUntilMs) });
    await pause(chance.between(2_000, 8_000), closing);
    await book.bans.end(() => customer.ask({ method: 'POST', path: '/v1/account/resume-dialing', body: {} }));
  }

  return {
    accounts: parties.map(({ book }) => book),
    ...{ batches, singles, failures },
    customerOf: (account) => parties.find(({ book }) => book.account === account)?.customer,
    async run(closing) {
      const lives = parties.flatMap((party) => {
        const { book, customer, from, endpoint, rules } = party;
        const partsOf = (name: string) => ({
          ...{ customer, account: book, from, endpoint, rules, closing, chance: chanceOf(seed, name) },
          numbers: (count: number) => people.next(count),
          booked: (batch: BatchBook) => {
            batches.push(batch);
          },
        });
        const live = async (round: string) => liveBatch(partsOf(round));
        const { account } = book;
        const name = `account ${parties.indexOf(party)}`;
        return [
          ...Array.from({ length: batchesAtOnce }, (_, line) =>
            repeat(party, `${name} batches ${line}`, live, closing),
          ),
          ...[0, 1].map((line) =>
            repeat(party, `${name} calls ${line}`, (round) => callOnce(party, round, closing), closing),
          ),
          repeat(
            ...([party, `${name} contest`] as const),
            async (round) => {
              const parts = partsOf(round);
              await pause(parts.chance.between(5_000, 30_000), closing);
              if (!closing.aborted) await contend(parts, round);
            },
            closing,
          ),
          repeat(
            ...([party, `${name} numbers`] as const),
            async (round) => {
              const chance = chanceOf(seed, round);
              await pause(chance.between(4_000, 15_000), closing);
              if (closing.aborted) return;
              await (chance.happens(0.4) ? changeReserve(party, chance) : changeLimits(party, chance));
            },
            closing,
          ),
          repeat(party, `${name} stop ${account}`, (round) => stopAll(party, round, closing), closing),
        ];
      });
      const isOver = { yet: false };
      const resuming = parties.map(async (party) => {
        await once(closing, 'abort');
        while (!isOver.yet) {
          await resumeIfStopped(party).catch(() => undefined);
          await liftLimits(party).catch(() => undefined);
          await liftReserve(party).catch(() => undefined);
          await delay(5_000);
        }
      });
      await Promise.all(lives);
      isOver.yet = true;
      await Promise.all(resuming);
      await Promise.all(parties.map(countNumbers));
    },
  };
}

/** A request to stop all dialing that was never answered may be carried out after the one to resume it. */
async function resumeIfStopped({ book, customer }: Party): Promise<void> {
  const { body } = await customer.ask({ method: 'GET', path: '/v1/account/guardrails' });
  if (body.dialingStopped !== true) return;
  await book.bans.end(() => customer.ask({ method: 'POST', path: '/v1/account/resume-dialing', body: {} }));
}

async function setUpAccount(customer: Customer, place: number, testEnv: SoakEnv): Promise<Party> {
  const from = `+1555010000${place + 1}`;
  const limited = ['212', '312', '415'].map((area) => `+1${area}555010${place + 1}`);
  const phoneNumbers = [from, ...limited];
  const post = async (path: string, body: object): Promise<Readonly<Record<string, unknown>>> => {
    const answer = await customer.ask({ method: 'POST', path, body, once: true });
    if (answer.status > 299) throw new Error(`${path} was answered ${answer.status} ${JSON.stringify(answer.body)}`);
    return answer.body;
  };
  const makeAgent = async (more: object): Promise<string> => {
    const languages = { english: { prompt: 'Remind them of their appointment.' } };
    const { agentId } = await post('/v1/agents', { name: 'Reminder', languages, ...more });
    const path = `/v1/agents/${String(agentId)}`;
    while ((await customer.ask({ method: 'GET', path })).body.status !== 'active') await delay(200);
    return String(agentId);
  };
  const agentId = await makeAgent({});
  const schema = { type: 'object', properties: { [successProperty]: { type: 'boolean' } } };
  const analyst = await makeAgent({ analysis: { enabled: true, schema, success: successProperty } });
  const outbound = { address: 'sip.example.com', transport: 'udp' };
  await post('/v2/sip/phone-numbers', { name: 'Line', phoneNumbers, outbound });
  const makeRule = async (name: string, agent: string): Promise<string> => {
    const rule = { name, type: 'outbound', phoneNumbers, agentId: agent };
    return String((await post('/v2/sip/routing-rule', rule)).id);
  };
  // Single calls take the first.
  const rules = { plain: await makeRule('Out', agentId), analyzed: await makeRule('Analyzed', analyst) };
  const { body } = await customer.ask({ method: 'GET', path: '/v2/sip/outbound-gateways' });
  const gatewayIds = Array.isArray(body.data) ? body.data.map((gateway: { id: string }) => gateway.id) : [];
  for (const id of gatewayIds) {
    const patched = await customer.ask({ method: 'PATCH', path: `/v2/sip/outbound-gateways/${id}`, body: limits });
    if (patched.status !== 200)
      throw new Error(`A gateway was answered ${patched.status} ${JSON.stringify(patched.body)}`);
  }
  // Each answered call costs one: none talks for longer than a minute.
  const price = { perMinute: 1, incrementSeconds: 60, minimumSeconds: 60 };
  const prices = { currency: 'USD', calls: [price] };
  const priced = await customer.ask({ method: 'PUT', path: '/v1/account/prices', body: prices });
  if (priced.status !== 200) throw new Error(`Prices were answered ${priced.status} ${JSON.stringify(priced.body)}`);
  const secret = (await customer.ask({ method: 'GET', path: '/v1/account/webhook-secret' })).body.secret;
  const path = testEnv.receiver.endpoint(customer.account, String(secret));
  return {
    ...{ customer, from, rules, endpoint: `http://127.0.0.1:${testEnv.receiverPort}${path}` },
    book: {
      ...{ account: customer.account, gatewayIds, hangUps: [], bans: createBans(), optOuts: new Map() },
      ...{ reserved: createSetting(0), numbers: await limitNumbers(customer, limited) },
    },
  };
}

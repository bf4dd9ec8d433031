import { beforeAll, expect, test } from 'vitest';
import { batchIs, mostOfLongMs, numbersWithScript, until, type LedgerLine } from '../e2e/running-service.js';
import { allInvites, service, useService } from './batch-under-attack.js';
import { holdCommits, killed } from './held-commits.js';

useService();

/** A product that is broken may never come to what a test waits for. */
const timeout = 420_000;

/** A pool for each test: numbers count what they have called today. */
const pools = ['21255501', '31255501', '41555501'].map((area) => [0, 1, 2].map((place) => `+1${area}0${place}`));
const poolAt = (place: number): readonly string[] => pools[place] ?? [];

const ask = async (method: string, url: string, body: object) => {
  const { status, body: answer } = await service.request(method, url, body);
  expect({ status, answer }).toMatchObject({ status: expect.toSatisfy((code: number) => code < 300) as number });
  return answer;
};

interface ListedNumber {
  readonly phoneNumber: { readonly e164: string; readonly phoneNumberId: string; readonly callsToday: number | null };
}
const listed = async (): Promise<readonly ListedNumber['phoneNumber'][]> => {
  const { body } = await service.request('GET', '/v2/sip/phone-numbers?perPage=100');
  return (body.data as ListedNumber[]).map(({ phoneNumber }) => phoneNumber);
};
const limit = async (e164: string, limits: object) => {
  const number = (await listed()).find((other) => other.e164 === e164);
  await ask('PATCH', `/v2/sip/phone-numbers/${number?.phoneNumberId}`, limits);
};

beforeAll(async () => {
  const { body } = await service.request('GET', '/v1/agents');
  const [agent] = body.data as { readonly agentId: string }[];
  for (const pool of pools) {
    const outbound = { address: 'sip.example.com', transport: 'udp' };
    await ask('POST', '/v2/sip/phone-numbers', { name: 'Pool', phoneNumbers: pool, outbound });
    const rule = { name: `Out ${pool[0]}`, type: 'outbound', phoneNumbers: pool, agentId: agent?.agentId };
    await ask('POST', '/v2/sip/routing-rule', rule);
  }
});

async function startBatch(pool: readonly string[], people: readonly string[], settings: object = {}): Promise<string> {
  const recipients = people.map((phoneNumber) => ({ phoneNumber }));
  const batch = await ask('POST', '/v1/batch-calls', { name: 'Pool', phoneNumbers: pool, recipients, ...settings });
  return String(batch.batchId);
}

/** Kills the dialer while such a commit stands still; then it holds, and nobody hears of it, or nothing of it holds. */
async function killAt(table: string, when: string, then: 'release' | 'undo'): Promise<void> {
  const commits = await holdCommits(service, table, when);
  await commits.reached();
  const dead = killed(service, 'dialer');
  await commits[then]();
  await dead;
}

const invitesTo = (people: readonly string[]) => allInvites().filter(({ to }) => people.includes(String(to)));
const byNumber = (invites: readonly LedgerLine[]): Record<string, number> => {
  const counts: Record<string, number> = {};
  for (const { from = '' } of invites) counts[from] = (counts[from] ?? 0) + 1;
  return counts;
};
const attemptsOf = (invites: readonly LedgerLine[]) => invites.map(({ callId, attempt }) => `${callId}/${attempt}`);
const waitingOf = async (batchId: string) => {
  const { body } = await service.request('GET', `/v1/batch-calls/${batchId}`);
  const { reasons } = body.waiting as { reasons: { reason: string; count: number }[] };
  const { dialing } = body.counts as { dialing: number };
  return { dialing, waiting: Object.fromEntries(reasons.map(({ reason, count }) => [reason, count])) };
};

// shows: numbers.kill
test(
  'kill -9 of dialers as they choose and count the numbers of a pool: each makes exactly as many calls a day as it may',
  { timeout },
  async () => {
    const pool = poolAt(0);
    const most = [11, 7, 4];
    const all = most.reduce((sum, calls) => sum + calls);
    for (const [place, maxCallsPerDay] of most.entries()) await limit(pool[place] ?? '', { maxCallsPerDay });
    const people = numbersWithScript(0, 30, 51_000);
    const batchId = await startBatch(pool, people, { maxConcurrentCalls: 4 });
    await killAt('call_attempts', `new.phase = 'claimed' and new.caller is not null`, 'release');
    await killAt('counted_numbers', 'new.calls > 1', 'undo');
    await killAt('counted_numbers', 'new.calls > 2', 'release');

    // Nobody is in the queue for anything else, and no dialer holds a call: that of a dead one waits for its lease to end. Whatever is
    // too much fails here: with numbers that call on and on, nobody would ever wait for them alone.
    await until(async () => {
      for (const [e164, calls] of Object.entries(byNumber(invitesTo(people))))
        expect({ e164, calls, tooMany: calls > (most[pool.indexOf(e164)] ?? 0) }).toMatchObject({ tooMany: false });
      const { dialing, waiting } = await waitingOf(batchId);
      return invitesTo(people).length >= all && dialing === 0 && Object.keys(waiting).join() === 'number_limit';
    });
    const dialed = invitesTo(people);
    expect(byNumber(dialed)).toEqual(Object.fromEntries(pool.map((e164, place) => [e164, most[place]])));
    expect(new Set(attemptsOf(dialed)).size).toBe(all);
    const today = (await listed()).filter(({ e164 }) => pool.includes(e164));
    expect(today.map(({ callsToday }) => callsToday).toSorted()).toEqual(most.toSorted());

    for (const e164 of pool) await limit(e164, { maxCallsPerDay: null });
    expect(await batchIs(service, batchId, 'completed', mostOfLongMs)).toMatchObject({
      counts: { answered: people.length },
    });
    expect(
      invitesTo(people)
        .map(({ to }) => to)
        .toSorted(),
    ).toEqual(people.toSorted());
  },
);

// shows: numbers.on-retry
test.each([
  ['same', 52_000, 1],
  ['other', 53_000, 3],
] as const)(
  'kill -9 of dialers as they choose and count the numbers of retries, with %s: each attempt is made once, from the right number',
  { timeout },
  async (numberOnRetry, start, numbers) => {
    const pool = poolAt(1);
    const busy = numbersWithScript(1, 12, start);
    const retry = { retryOn: ['rejected'], retryDelays: [1, 1] };
    const batchId = await startBatch(pool, busy, { numberOnRetry, retry, maxConcurrentCalls: 4 });
    await killAt('call_attempts', `new.phase = 'claimed' and new.number = 2`, 'release');
    await killAt('call_attempts', `new.phase = 'dialing' and new.number = 2`, 'undo');
    await killAt('call_attempts', `new.phase = 'ended' and new.number = 2`, 'release');
    await batchIs(service, batchId, 'completed', mostOfLongMs);
    const dialed = invitesTo(busy);
    expect(new Set(attemptsOf(dialed)).size).toBe(dialed.length);
    for (const number of busy) {
      const own = dialed.filter(({ to }) => to === number);
      expect(own.map(({ attempt }) => attempt)).toEqual([1, 2, 3]);
      expect(new Set(own.map(({ from }) => from)).size).toBe(numbers);
    }
  },
);

// shows: numbers.spacing
test(
  'kill -9 of dialers at the gate of numbers with a least time between calls: it lies between any two, and nobody is lost',
  { timeout },
  async () => {
    const pool = poolAt(2);
    const minSecondsBetweenCalls = 3;
    for (const e164 of pool) await limit(e164, { minSecondsBetweenCalls });
    const people = numbersWithScript(0, 18, 54_000);
    const batchId = await startBatch(pool, people);
    const alone = numbersWithScript(0, 3, 55_000);
    for (const [place, to] of alone.entries()) {
      await ask('POST', '/v2/sip/call', { sipCallTo: to, sipCallFrom: pool[place] });
    }
    await until(() => invitesTo(people).length > 2);
    await killAt('counted_numbers', 'new.calls > 1', 'release');
    await killAt('counted_numbers', 'new.calls > 1', 'undo');
    await killAt('call_attempts', `new.phase = 'claimed' and new.caller is not null`, 'release');
    await batchIs(service, batchId, 'completed', mostOfLongMs);

    const dialed = [...people, ...alone];
    for (const e164 of pool) {
      const atMs = invitesTo(dialed)
        .filter(({ from }) => from === e164)
        .map(({ at }) => Date.parse(at))
        .sort((a, b) => a - b);
      const gapsMs = atMs.slice(1).map((ms, place) => ms - (atMs[place] ?? 0));
      expect(Math.min(...gapsMs)).toBeGreaterThanOrEqual(minSecondsBetweenCalls * 1_000);
    }
    expect(
      invitesTo(people)
        .map(({ to }) => to)
        .toSorted(),
    ).toEqual(people.toSorted());
  },
);

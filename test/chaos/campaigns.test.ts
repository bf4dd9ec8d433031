import { expect, test } from 'vitest';
import { batchIs, numbersWithScript, until } from '../e2e/running-service.js';
import { allInvites, calling, service, useService } from './batch-under-attack.js';
import { holdCommits, killed } from './held-commits.js';

useService();

interface Run {
  readonly outcome: string;
  readonly manual: boolean;
  readonly batchId?: string;
}

/** Asks until it is done: a request that waits too long for a run is undone and answered with 503. */
const taken = (url: string, body?: object): Promise<void> =>
  until(async () => {
    const { status } = await service.request('POST', url, body);
    expect([200, 503]).toContain(status);
    return status === 200;
  });

test('kill -9 of the worker while runs of schedule and request make batch calls: each recipient is in one and called once', async () => {
  const made = await service.request('POST', '/v1/campaigns', {
    ...{ name: 'Each minute', cron: '* * * * *', timezone: 'UTC', template: { phoneNumber: calling() } },
  });
  expect(made).toMatchObject({ status: 201 });
  const url = `/v1/campaigns/${String(made.body.campaignId)}`;
  const people: string[] = [];
  /** Posts the next twelve; each has a number of its own. */
  const post = async () => {
    const some = numbersWithScript(0, 12, 21_000 + people.length);
    people.push(...some);
    const recipients = some.map((phoneNumber) => ({ phoneNumber, id: phoneNumber }));
    await taken(`${url}/recipients`, { recipients });
  };
  const runNow = () => taken(`${url}/run`);
  const runs = async () => (await service.request('GET', `${url}/runs?perPage=100`)).body.data as Run[];

  await post();
  // The schedule's run is committed, and its worker never hears of it. Whoever comes meanwhile waits for the commit.
  const committed = await holdCommits(service, 'campaign_runs', `new.outcome = 'made'`);
  await committed.reached();
  const beside = [post(), runNow()];
  const dead = killed(service, 'worker');
  await committed.release();
  await Promise.all([dead, ...beside]);
  expect((await runs()).some(({ manual, outcome }) => !manual && outcome === 'made')).toBe(true);

  // One whose worker dies before it commits has done nothing.
  await post();
  const undone = await holdCommits(service, 'campaign_runs', `new.outcome = 'made'`);
  // The run that was asked for before may be the one that stands still: then this request waits for it.
  const asked = runNow();
  await undone.reached();
  const gone = killed(service, 'worker');
  await undone.undo();
  await Promise.all([gone, asked]);
  await Promise.all([post(), runNow(), runNow()]);
  await until(async () => {
    if ((await service.request('GET', url)).body.waiting === 0) return true;
    await runNow();
    return false;
  });
  await service.request('POST', `${url}/pause`);

  const batchIds = (await runs()).flatMap(({ batchId }) => batchId ?? []);
  const called: string[] = [];
  for (const batchId of batchIds) {
    await batchIs(service, batchId, 'completed');
    const { body } = await service.request('GET', `/v1/batch-calls/${batchId}/records?perPage=100`);
    called.push(...(body.data as { phoneNumber: string }[]).map(({ phoneNumber }) => phoneNumber));
  }
  expect(new Set(batchIds).size).toBe(batchIds.length);
  expect(called.toSorted()).toEqual(people.toSorted());
  const dialed = allInvites().map(({ to }) => String(to));
  expect(dialed.toSorted()).toEqual(people.toSorted());
});

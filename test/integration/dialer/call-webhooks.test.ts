import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { v7 as uuid } from 'uuid';
import { callEvent } from '../../../api/plugins/openapi-webhook-bodies.js';
import { sipWebhookEvents } from '../../../domain/webhooks/sip-webhook.js';
import { ringer, talker, controlledCalls, type ControlledCalls } from './controlled-calls.js';
import { until, type DialerTestEnv, type Gateway } from './test-env.js';

let calls: ControlledCalls;
let testEnv: DialerTestEnv;
let gateway: Gateway;
beforeEach(async () => {
  calls = await controlledCalls();
  ({ testEnv, gateway } = calls);
});
afterEach(() => testEnv.close());

describe('webhooks of calls', () => {
  const hook = async (events: string[]): Promise<string> => {
    const id = `swh_${uuid()}`;
    await testEnv.database.db
      .insertInto('sip_webhooks')
      .values({ id, account_id: testEnv.accountId, url: 'https://hooks.example.com/x', events })
      .execute();
    return id;
  };
  interface Delivery {
    readonly event: string;
    readonly attempt: number;
    readonly payload: string;
    readonly outbox: boolean;
  }
  const deliveriesOf = (id: string) =>
    calls.rowsOf<Delivery>(
      `select d.event, d.attempt, d.payload,
         exists (select 1 from outbox o where o.workflow_id = d.id and o.name = 'deliverWebhook') as outbox
       from webhook_deliveries d where d.call_id = $1 order by d.id`,
      [id],
    );
  interface Told {
    readonly webhookType: string;
    readonly data: { readonly status: string; readonly timelog: { readonly status: string }[] } & Record<
      string,
      unknown
    >;
  }
  const all = ['call-started', 'call-ringing', 'call-answered', 'call-hangup', 'call-missed'];

  test('hear each event of each attempt once, in order, as the call was then', async () => {
    const batch = await testEnv.batch(gateway, { retryOn: ['rejected'], retryDelaysSeconds: [1] });
    await hook(all);
    await testEnv.dialer();
    // Busy the first time, answers the second.
    const [id] = await testEnv.calls(gateway, batch, ['+15550100111']);
    await until(async () => (await calls.callOf(id!)).status === 'retrying');
    await testEnv.queue(id!, 2);
    await until(async () => (await calls.callOf(id!)).status === 'answered');

    const deliveries = await deliveriesOf(id!);
    expect(deliveries.map(({ attempt, event }) => `${attempt} ${event}`)).toEqual([
      ...['1 call-started', '1 call-ringing', '1 call-missed'],
      ...['2 call-started', '2 call-ringing', '2 call-answered', '2 call-hangup'],
    ]);
    expect(deliveries.every(({ outbox }) => outbox)).toBe(true);
    const told = deliveries.map(({ payload }) => JSON.parse(payload) as Told);
    expect(told.map(({ data }) => data.status)).toEqual([
      ...['initiated', 'ringing', 'rejected', 'initiated', 'ringing', 'answered', 'ended'],
    ]);
    expect(told.map(({ data }) => data.timelog.map(({ status }) => status).join(' '))).toEqual([
      'initiated',
      'initiated ringing',
      'initiated ringing rejected',
      'initiated ringing rejected initiated',
      'initiated ringing rejected initiated ringing',
      'initiated ringing rejected initiated ringing answered',
      'initiated ringing rejected initiated ringing answered ended',
    ]);
    expect(told[2]).toMatchObject({
      webhookType: 'call-missed',
      data: {
        ...{ id: `call_${id!}`, type: 'outbound', to: '+15550100111', from: gateway.e164, batchId: batch, attempt: 1 },
        // The last number is that of the INVITE: on a busy machine the dialer may come too late for the first.
        roomId: expect.stringMatching(new RegExp(`^call_${id!}_1_\\d+$`)),
        ...{ sipStatusCode: 486, reason: 'busy', metadata: {} },
      },
    });
    expect(told[6]?.data).toMatchObject({ attempt: 2, answeredBy: 'human', duration: expect.any(Number) });
    expect(told[1]?.data).not.toHaveProperty('reason');
    // As the reference describes them, no more and no less.
    for (const event of sipWebhookEvents) {
      for (const each of told) if (each.webhookType === event) expect(callEvent(event).parse(each)).toEqual(each);
    }
  });

  test('hear of what they asked for alone, and of nothing from before they were made', async () => {
    await testEnv.dialer();
    const early = await calls.aCall(ringer, 'ringing');
    await hook(['call-ringing', 'call-missed']);
    await calls.end(early);
    await until(async () => (await calls.callOf(early)).status === 'abandoned');
    expect((await deliveriesOf(early)).map(({ event }) => event)).toEqual(['call-missed']);
  });

  test('hear of a call that was ended before it was dialed', async () => {
    await hook(all);
    const [id] = await testEnv.calls(gateway, null, [talker]);
    await calls.end(id!);
    const [delivery, ...more] = await deliveriesOf(id!);
    expect(more).toEqual([]);
    expect(JSON.parse(delivery!.payload)).toMatchObject({
      webhookType: 'call-missed',
      data: { status: 'abandoned', reason: 'ended_by_api' },
    });
  });

  test('that are deleted while calls are under way hear no more, and hold up no call', async () => {
    const id = await hook(all);
    await testEnv.dialer();
    const call = await calls.aCall(ringer, 'ringing');
    await until(async () => (await deliveriesOf(call)).length === 2);
    await testEnv.database.db.deleteFrom('sip_webhooks').where('id', '=', id).execute();
    expect(await deliveriesOf(call)).toEqual([]);
    await calls.end(call);
    await until(async () => (await calls.callOf(call)).status === 'abandoned');
    expect(await deliveriesOf(call)).toEqual([]);
  });

  test('of another account hear nothing', async () => {
    await testEnv.database.db
      .insertInto('accounts')
      .values({ id: 'acc_other', name: 'Other', webhook_secret_sealed: 'sealed' })
      .execute();
    await testEnv.database.db
      .insertInto('sip_webhooks')
      .values({ id: 'swh_other', account_id: 'acc_other', url: 'https://hooks.example.com/y', events: all })
      .execute();
    await testEnv.dialer();
    const call = await calls.aCall(ringer, 'ringing');
    expect(await deliveriesOf(call)).toEqual([]);
  });
});

test('an answered call starts its summary if the version that spoke summarizes, and only there', async () => {
  const [agent] = await calls.rowsOf<{ id: string; agent_id: string }>('select id, agent_id from agent_versions');
  await testEnv.dialer();
  const [plain] = await testEnv.calls(gateway, null, ['+15550100200']);
  await until(async () => (await calls.callOf(plain!)).status === 'answered');
  await testEnv.database.pool.query(
    `insert into agent_versions (id, account_id, agent_id, number, name, config)
     values ('ver_two', $1, $2, 2, 'Second', '{"callSummary": {"enabled": true}}')`,
    [testEnv.accountId, agent!.agent_id],
  );
  await testEnv.database.pool.query(`update deployments set version_id = 'ver_two'`);
  const [summarized, unanswered] = await testEnv.calls(gateway, null, ['+15550100210', '+15550100221']);
  await until(async () => (await calls.callOf(summarized!)).status === 'answered');
  await until(async () => (await calls.callOf(unanswered!)).status === 'rejected');
  expect(await calls.rowsOf(`select workflow_id, input from outbox where name = 'summarizeCall'`)).toEqual([
    {
      workflow_id: `call_${summarized!}/summary`,
      input: { accountId: testEnv.accountId, callId: summarized, attempt: 1 },
    },
  ]);
});

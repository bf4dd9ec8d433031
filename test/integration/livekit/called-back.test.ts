import { v7 as uuid } from 'uuid';
import { describe, expect, test } from 'vitest';
import { eraseContact } from '../../../db/queries/accounts/erase-contact.js';
import { callForAgent } from '../../../db/queries/calls/conversation.js';
import { inboundCall } from '../../../db/queries/calls/inbound.js';
import { inboundAttributes } from '../../../domain/call/inbound-line.js';
import { readInboundLeg } from '../../../domain/call/inbound-call.js';
import { aBatch } from '../../api/batch-calls/support.js';
import { anAccount, api, here, useApi } from '../../api/support.js';
import { aNumber, aRegisteredNumber, aRule, anAgent, rowsOf } from '../../api/support-resources.js';

useApi();

interface Line {
  readonly number: string;
  readonly ruleId: string;
  readonly agentId: string;
}

async function aLine(rule: object = { matchRecent: { days: 7 } }): Promise<Line> {
  const { e164 } = await aRegisteredNumber();
  const agentId = await anAgent();
  return { number: e164, agentId, ruleId: await aRule({ type: 'inbound', phoneNumbers: [e164], agentId, ...rule }) };
}

interface Made {
  readonly to: string;
  readonly from?: string;
  readonly agentId?: string | null;
  readonly ruleId?: string;
  readonly metadata?: object;
  readonly options?: object;
  readonly daysAgo?: number;
  readonly outcome?: 'answered' | 'not-answered' | 'failed';
  readonly batchId?: string;
  readonly accountId?: string;
  readonly createdDaysAgo?: number;
}

/** A call that the account made, as the dialer leaves it. @returns its bare UUID */
async function called({ to, daysAgo = 1, outcome = 'not-answered', ...call }: Made): Promise<string> {
  const { accountId = here().me.account.id, createdDaysAgo = daysAgo } = call;
  const id = uuid();
  await rowsOf(
    `insert into calls (id, account_id, batch_id, position, type, to_number, from_number, rule_id, gateway_id, agent_id,
       metadata, options, time_zones, status, attempts_made, created_at)
     values ($1, $2, $3, 0, 'outbound', $4, $5, $6, 'gwo_x', $7, $8, $9, '{Asia/Kolkata}', $10, 1,
       now() - make_interval(secs => 86400 * $11::float8))`,
    [
      ...[id, accountId, call.batchId ?? null, to, call.from ?? '+14155550100', call.ruleId ?? 'rule_x'],
      ...[call.agentId ?? null, JSON.stringify(call.metadata ?? {}), JSON.stringify(call.options ?? {}), outcome],
      createdDaysAgo,
    ],
  );
  await rowsOf(
    `insert into call_attempts (call_id, number, account_id, batch_id, gateway_id, to_number, phase, invite, due_at, dialed_at,
       ended_at, outcome, permanent, reported_at)
     select $1, 1, $2, $3, 'gwo_x', $4, 'ended', 1, t, t, t, $5, true, t
     from (select now() - make_interval(secs => 86400 * $6::float8) as t) z`,
    [id, accountId, call.batchId ?? null, to, outcome, daysAgo],
  );
  return id;
}

/** A call that comes in, as the agent worker finds it. */
async function rings({ number, ruleId }: Line, caller: string, attributes: Record<string, string> = {}) {
  const { db } = here().database;
  const sipCallId = `${uuid()}@carrier`;
  const seen = {
    leg: readInboundLeg({
      ...{ [inboundAttributes.rule]: ruleId, [inboundAttributes.number]: number },
      ...{ 'sip.callIDFull': sipCallId, 'sip.phoneNumber': caller, 'sip.callStatus': 'active', ...attributes },
    })!,
    ...{ region: 'default', room: `inbound_${sipCallId}`, identity: `sip_${caller}` },
  };
  const made = (await inboundCall(db, seen))!;
  const told = await callForAgent(db, made.callId, seen.room);
  const { body } = await api.get(`/v2/sip/call/call_${made.callId}`);
  const { data } = body as { data: { agentId: string; callbackOf?: string; metadata: object; reason?: string } };
  return { ...data, callbackOf: data.callbackOf, told, callId: made.callId };
}

/** Of a batch that is stored and not dialed. */
const route = {
  phoneNumber: '+14155550100',
  phoneNumberId: 'num_x',
  gatewayId: 'gwo_x',
  ruleId: 'rule_x',
  agentId: 'agt_x',
};

const nothing = { callbackOf: undefined, metadata: {} };

describe('a caller whom the account called lately', () => {
  test('talks to the agent of that call, which is told what it was told then: metadata, language, zone, words of its rule', async () => {
    const line = await aLine({ matchRecent: { days: 7 }, agentMetadata: { desk: 'front' } });
    const [agentId, to] = [await anAgent(), aNumber()];
    const ruleId = await aRule({ agentId, agentMetadata: { desk: 'back', team: 'north' } });
    const earlier = await called({ to, agentId, ruleId, metadata: { name: 'Asha' }, options: { language: 'hindi' } });
    const call = await rings(line, to);
    expect(call).toMatchObject({ agentId, callbackOf: `call_${earlier}`, metadata: { name: 'Asha' } });
    const [deployed] = await rowsOf<{ version_id: string }>(
      'select version_id from deployments d join agents a on a.deployment_id = d.id where a.id = $1',
      [agentId],
    );
    expect(call.told).toMatchObject({
      versionId: deployed?.version_id,
      metadata: { name: 'Asha' },
      ...{ language: 'hindi', zone: 'Asia/Kolkata', agentMetadata: { desk: 'front', team: 'north' } },
    });
  });

  test('is linked with it from both sides: in the call, the lists, the record, the export and the webhook', async () => {
    const hook = await api.post('/v2/sip/webhooks', { url: 'https://example.com/calls', events: ['call-started'] });
    const line = await aLine();
    const [to, { batchId }] = [aNumber(), await aBatch({ route, counts: { 'not-answered': 1 } })];
    const earlier = await called({ to, batchId });
    const first = await rings(line, to);
    const second = await rings(line, to);
    const calledBackBy = `call_${second.callId}`;
    expect([first.callbackOf, second.callbackOf]).toEqual([`call_${earlier}`, `call_${earlier}`]);
    expect((await api.get(`/v2/sip/call/call_${earlier}`)).body).toMatchObject({ data: { calledBackBy } });
    expect((await api.get(`/v2/sip/call?id=call_${earlier}`)).body).toMatchObject({ data: [{ calledBackBy }] });
    expect((await api.get(`/v2/sip/call?ruleId=${line.ruleId}`)).body).toMatchObject({
      data: [{ callbackOf: `call_${earlier}` }, { callbackOf: `call_${earlier}` }],
    });
    const records = await api.get(`/v1/batch-calls/${batchId}/records`);
    expect(records.body).toMatchObject({ data: [{ calledBackBy }] });
    const { text } = await api.get(`/v1/batch-calls/${batchId}/records/export`);
    expect(text.split('\r\n')[0]).toContain('called_back_by');
    expect(text.split('\r\n')[1]).toContain(calledBackBy);
    const [told] = await rowsOf<{ payload: string }>(
      'select payload from webhook_deliveries where sip_webhook_id = $1 and call_id = $2',
      [(hook.body as { id: string }).id, second.callId],
    );
    expect(JSON.parse(told?.payload ?? '{}')).toMatchObject({ data: { callbackOf: `call_${earlier}` } });
  });

  test('is matched with the latest call from the number that they call, before later ones from other numbers', async () => {
    const line = await aLine();
    const to = aNumber();
    await called({ to, from: line.number, daysAgo: 3 });
    const meant = await called({ to, from: line.number, daysAgo: 2, createdDaysAgo: 6 });
    const later = await called({ to, daysAgo: 1, outcome: 'answered' });
    expect((await rings(line, to)).callbackOf).toBe(`call_${meant}`);
    expect((await rings(await aLine(), to)).callbackOf).toBe(`call_${later}`);
  });

  test.each([
    ['not longer ago than the days of the rule', { daysAgo: 6.9 }, true],
    ['longer ago', { daysAgo: 7.1 }, false],
    ['with an attempt that the carrier refused before it rang', { outcome: 'failed' as const }, false],
  ])('%s: %j, matches %s', async (_when, change, matches) => {
    const [line, to] = [await aLine(), aNumber()];
    const earlier = await called({ to, ...change });
    expect((await rings(line, to)).callbackOf).toBe(matches ? `call_${earlier}` : undefined);
  });

  test('talks to the rule’s own agent if that of the call is not active any more, and is known all the same', async () => {
    const [line, to] = [await aLine(), aNumber()];
    const earlier = await called({ to, agentId: await anAgent({ status: 'inactive' }), metadata: { name: 'Asha' } });
    const call = await rings(line, to);
    expect(call).toMatchObject({
      agentId: line.agentId,
      callbackOf: `call_${earlier}`,
      metadata: { name: 'Asha' },
    });
    expect(call.told).not.toBeNull();
  });

  test('is let in although the rule’s own agent is not active, if that of the call is', async () => {
    const line = await aLine({ matchRecent: { days: 7 }, agentId: await anAgent({ status: 'inactive' }) });
    const [agentId, to] = [await anAgent(), aNumber()];
    await called({ to, agentId });
    expect((await rings(line, to)).told).not.toBeNull();
    expect((await rings(line, aNumber())).told).toBeNull();
  });

  test('cannot write over what the account knows of them by headers of their own', async () => {
    const line = await aLine({ matchRecent: { days: 7 }, headersToAttributes: { 'X-Name': 'name', 'X-Ref': 'ref' } });
    const to = aNumber();
    await called({ to, metadata: { name: 'Asha' } });
    const { metadata } = await rings(line, to, { name: 'Mallory', ref: '7' });
    expect(metadata).toEqual({ name: 'Asha', ref: '7' });
  });
});

describe('nobody is matched', () => {
  test('by a rule that does not say so', async () => {
    const [line, to] = [await aLine({}), aNumber()];
    await called({ to, metadata: { name: 'Asha' } });
    expect(await rings(line, to)).toMatchObject({ ...nothing, agentId: line.agentId });
  });

  test.each([
    ['', 'hidden'],
    ['anonymous', 'anonymous'],
    ['Restricted', 'a text'],
  ])('who calls as “%s” (%s)', async (caller) => {
    const line = await aLine();
    expect(await rings(line, caller)).toMatchObject({ ...nothing, agentId: line.agentId });
  });

  test('whom another account called', async () => {
    const [line, to, other] = [await aLine(), aNumber(), await anAccount()];
    await called({ to, accountId: other.account.id, from: line.number, metadata: { name: 'Asha' } });
    expect(await rings(line, to)).toMatchObject(nothing);
  });

  test('who was erased, also if they call while that is done', async () => {
    const [line, to] = [await aLine(), aNumber()];
    const earlier = await called({ to, metadata: { name: 'Asha' } });
    const { database, me } = here();
    let ringing: ReturnType<typeof rings> | undefined;
    await database.db.transaction().execute(async (tx) => {
      await eraseContact(tx, me.account.id, to);
      ringing = rings(line, to);
      await expect
        .poll(() => rowsOf(`select 1 from pg_locks where locktype = 'advisory' and not granted`))
        .toHaveLength(1);
    });
    expect(await ringing).toMatchObject(nothing);
    expect((await api.get(`/v2/sip/call/call_${earlier}`)).body).not.toHaveProperty('data.calledBackBy');
  });

  test('whose call has outlived its retention, or whose batch call was deleted', async () => {
    const [line, to, batchId] = [await aLine(), aNumber(), `batch_${uuid()}`];
    const kept = await called({ to });
    await rowsOf('update calls set purged_at = now() where id = $1', [kept]);
    await called({ to, batchId, daysAgo: 0.5 });
    await rowsOf('insert into batch_deletions (batch_id, account_id) values ($1, $2)', [batchId, here().me.account.id]);
    expect((await rings(line, to)).callbackOf).toBeUndefined();
  });
});

test('the latest calls to a number are read by an index that has them in order, however many there are', async () => {
  const rows = await rowsOf<{ plan: string }>(
    `explain select * from calls where account_id = 'a' and to_number = '+1' order by created_at desc limit 100`,
  );
  const plan = JSON.stringify(rows);
  expect(plan).toContain('calls_by_number_and_age');
  expect(plan).not.toContain('Sort');
});

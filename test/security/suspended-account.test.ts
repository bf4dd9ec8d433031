import { afterEach, expect, test } from 'vitest';
import { batchCallDetailBody } from '../../api/batch-calls/detail.js';
import {
  resumeAccount,
  resumeServiceDialing,
  stopServiceDialing,
  suspendAccount,
} from '../../db/queries/accounts/suspension.js';
import { findBatchCall } from '../../db/queries/batches/batches.js';
import { inboundLineRows } from '../../db/queries/telephony/inbound-lines.js';
import { inboundCall } from '../../db/queries/calls/inbound.js';
import { inboundAttributes } from '../../domain/call/inbound-line.js';
import { readInboundLeg } from '../../domain/call/inbound-call.js';
import { aBatch } from '../api/batch-calls/support.js';
import { anAccount, api, here, useApi } from '../api/support.js';
import {
  aCallingNumber,
  aNumber,
  aRegisteredNumber,
  aRule,
  anAgent,
  routeOf,
  rowsOf,
} from '../api/support-resources.js';
import { lockWaits } from '../setup/lock-waits.js';

useApi();

const suspend = (reason: string | null = null) =>
  here()
    .database.db.transaction()
    .execute((tx) => suspendAccount(tx, here().me.account.id, { reason, hangUp: false }));
const resume = () =>
  here()
    .database.db.transaction()
    .execute((tx) => resumeAccount(tx, here().me.account.id));
afterEach(resume);

test('P2-2: every token of a suspended account is refused with the reason, others are not, and all is back when it is resumed', async () => {
  const other = await anAccount();
  await suspend('the invoice of March is unpaid');
  for (const answer of [
    await api.get('/v1/account'),
    await api.get('/v1/batch-calls'),
    await api.post('/v1/account/resume-dialing'),
    await api.post('/v2/sip/call', {}),
  ]) {
    expect(answer.status).toBe(403);
    expect(answer.text).toContain('suspended by the operator of the service: the invoice of March is unpaid');
  }
  expect((await api.get('/v1/account', { token: other.token })).status).toBe(200);
  expect((await api.get('/v1/account', { token: 'nonsense' })).status).toBe(401);
  await resume();
  expect((await api.get('/v1/account')).status).toBe(200);
});

test('P2-2: the batches of a suspended account say so, and its audit log says who did it and why', async () => {
  const route = routeOf(await aCallingNumber());
  const { batchId } = await aBatch({ status: 'running', counts: { pending: 3 }, route });
  await suspend('abuse');
  const row = await findBatchCall(here().database.db, here().me.account.id, batchId);
  expect(batchCallDetailBody(row!, here().deps)).toMatchObject({
    ...{ status: 'running', paused: true, pausedReason: 'account_suspended' },
    pausedDetails: 'The account is suspended by the operator of this service.',
  });
  await resume();
  const { body } = await api.get('/v1/account/audit-log?action=account.suspend,account.resume');
  const { data } = body as { data: { action: string; details: object; keyId?: string }[] };
  expect(data.slice(0, 2)).toMatchObject([
    { action: 'account.resume', details: { by: 'operator' } },
    { action: 'account.suspend', details: { by: 'operator', reason: 'abuse', hangUp: false } },
  ]);
  expect(data[0]).not.toHaveProperty('keyId');
});

test('P2-2: calls to the numbers of a suspended account are not taken: LiveKit loses the number, and a call that is there is hung up', async () => {
  const { e164 } = await aRegisteredNumber();
  const ruleId = await aRule({ type: 'inbound', phoneNumbers: [e164], agentId: await anAgent() });
  const { db } = here().database;
  const lines = async () => (await inboundLineRows(db)).map(({ number }) => number);
  expect(await lines()).toContain(e164);
  const told = () => rowsOf<{ id: string }>("select id from outbox where name = 'reconcileInbound'");
  const before = (await told()).length;
  await suspend();
  expect(await lines()).not.toContain(e164);
  expect((await told()).length).toBe(before + 1);
  const leg = readInboundLeg({
    ...{ [inboundAttributes.rule]: ruleId, [inboundAttributes.number]: e164, 'sip.callIDFull': 'one@carrier' },
    ...{ 'sip.phoneNumber': aNumber(), 'sip.callStatus': 'ringing' },
  });
  const call = await inboundCall(db, { leg: leg!, region: 'default', room: 'room', identity: 'sip_x' });
  expect(await rowsOf('select hang_up_reason as reason from call_attempts where call_id = $1', [call?.callId])).toEqual(
    [{ reason: 'account_suspended' }],
  );
});

test('P2-2: a call that comes in while its account is suspended, its live calls being hung up, is hung up, too', async () => {
  const { e164 } = await aRegisteredNumber();
  const ruleId = await aRule({ type: 'inbound', phoneNumbers: [e164], agentId: await anAgent() });
  const { db } = here().database;
  const leg = readInboundLeg({
    ...{ [inboundAttributes.rule]: ruleId, [inboundAttributes.number]: e164, 'sip.callIDFull': 'meanwhile@carrier' },
    ...{ 'sip.phoneNumber': aNumber(), 'sip.callStatus': 'ringing' },
  });
  let coming: ReturnType<typeof inboundCall> | undefined;
  await db.transaction().execute(async (tx) => {
    await suspendAccount(tx, here().me.account.id, { reason: null, hangUp: true });
    const there = { yet: false };
    coming = inboundCall(db, { leg: leg!, region: 'default', room: 'room', identity: 'sip_y' }).finally(
      () => (there.yet = true),
    );
    await expect.poll(async () => there.yet || (await lockWaits(here().database.pool)) > 0).toBe(true);
  });
  const call = await coming;
  expect(await rowsOf('select hang_up_reason as reason from call_attempts where call_id = $1', [call?.callId])).toEqual(
    [{ reason: 'account_suspended' }],
  );
});

test('P2-2: while the operator has stopped all dialing no account makes a call, and reading goes on', async () => {
  const { db } = here().database;
  const number = await aCallingNumber();
  const { e164 } = number;
  const { batchId } = await aBatch({ status: 'running', counts: { pending: 1 }, route: routeOf(number) });
  await db.transaction().execute(stopServiceDialing);
  const refused = await api.post('/v2/sip/call', { sipCallTo: aNumber(), sipCallFrom: e164 });
  const batch = await api.get(`/v1/batch-calls/${batchId}`);
  await api.post('/v1/account/resume-dialing');
  const again = await api.post('/v2/sip/call', { sipCallTo: aNumber(), sipCallFrom: e164 });
  await db.transaction().execute(resumeServiceDialing);
  expect([refused.status, again.status]).toEqual([403, 403]);
  expect(refused.body).toEqual({ message: 'The operator of this service has stopped all dialing.' });
  expect(batch.body).toMatchObject({ paused: true, pausedReason: 'service_stopped' });
  expect((await api.post('/v2/sip/call', { sipCallTo: aNumber(), sipCallFrom: e164 })).status).toBe(201);
});

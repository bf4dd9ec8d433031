import { describe, expect, test } from 'vitest';
import { aBatch } from '../batch-calls/support.js';
import { rowsOf } from '../support-resources.js';
import { anAccount, api, here } from '../support.js';
import { aPerson, aTracedCall } from './support.js';

describe('200', () => {
  /** Tables that hold a text anywhere, the sealed answers to Idempotency-Keys and the do-not-call list left out. */
  async function tablesWith(text: string): Promise<string[]> {
    const tables = await rowsOf<{ name: string }>(
      `select table_name as name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE'
       and table_name not in ('do_not_call', 'idempotency_keys')`,
    );
    const found: string[] = [];
    for (const { name } of tables) {
      const rows = await rowsOf(`select 1 from "${name}" t where t::text like $1 limit 1`, [`%${text}%`]);
      if (rows.length > 0) found.push(name);
    }
    return found;
  }

  const erase = (number: string) => api.delete(`/v1/contacts/${number}`);
  const counters = (batchId: string) => rowsOf('select * from batch_counters where batch_id = $1', [batchId]);

  // shows: contacts.erase
  test('nothing of the person is left in any table, and every count is as it was', async () => {
    const number = aPerson();
    const { batchId, callId } = await aTracedCall(number);
    await api.post('/v1/do-not-call', { phoneNumbers: [number] });
    const before = await counters(batchId);
    expect(await tablesWith(number.slice(1))).toEqual(
      expect.arrayContaining(['call_attempts', 'calls', 'rejected_rows', 'webhook_deliveries']),
    );

    const response = await erase(number);

    expect(response.status).toBe(200);
    expect(response.body).toEqual({ message: 'Erased: 1 call, 1 rejected row, 1 file.' });
    expect(await tablesWith(number.slice(1))).toEqual([]);
    for (const text of ['Ada Abbott', 'Ada here', 'Ada agreed']) expect(await tablesWith(text)).toEqual([]);
    expect(await counters(batchId)).toEqual(before);
    expect(await rowsOf('select octet_length(bytes) as n from batch_files where batch_id = $1', [batchId])).toEqual([
      { n: 0 },
    ]);
    const record = (await api.get(`/v1/batch-calls/${batchId}/records`)).body;
    expect(record).toMatchObject({
      data: [{ phoneNumber: 'erased', status: 'answered', metadata: {}, callDuration: 12 }],
    });
    const call = await api.get(`/v2/sip/call/call_${callId}`);
    expect(call.status).toBe(200);
    expect(call.body).toMatchObject({ data: { to: 'erased', metadata: {} } });
    expect(await rowsOf('select status from webhook_deliveries where call_id = $1', [callId])).toEqual([
      { status: 'failed' },
    ]);
    // The entry stays, so that the person is not called again.
    expect((await api.get(`/v1/contacts/${number}`)).body).toMatchObject({
      doNotCall: { phoneNumber: number },
      data: [],
    });
  });

  // shows: contacts.erase
  test('calls that wait are cancelled and their workflows told; whatever is written to them later leaves nothing', async () => {
    const number = aPerson();
    const waiting = await aTracedCall(number, { status: 'retrying' });
    const queued = await aTracedCall(number, { status: 'pending', attempt: 'queued' });
    await erase(number);
    for (const { callId, batchId } of [waiting, queued]) {
      expect(await rowsOf('select status, reason, settled from calls where id = $1', [callId])).toEqual([
        { status: 'cancelled', reason: 'erased', settled: true },
      ]);
      expect(await rowsOf('select name from outbox where workflow_id = $1', [`${batchId}/calls-1`])).toEqual([
        { name: 'reload' },
      ]);
      expect(await counters(batchId)).toMatchObject([{ cancelled: 1, retrying: 0, pending: 0 }]);
    }
    expect(await rowsOf('select 1 from call_attempts where call_id = $1', [queued.callId])).toEqual([]);
    await rowsOf(
      `update calls set summary = 'Ada', analysis = '{"name": "Ada"}', success = true, transcript = '["Ada"]', status = 'retrying' where id = $1`,
      [waiting.callId],
    );
    expect(
      await rowsOf('select summary, analysis, success, transcript, status from calls where id = $1', [waiting.callId]),
    ).toEqual([{ summary: null, analysis: null, success: null, transcript: null, status: 'cancelled' }]);
  });

  test('a live call is hung up, and its end leaves nothing of the person', async () => {
    const number = aPerson();
    const { callId } = await aTracedCall(number, { status: 'in-progress', attempt: 'answered' });
    await erase(number);
    expect(
      await rowsOf(
        'select hang_up_at is not null as ordered, room is not null as room from call_attempts where call_id = $1',
        [callId],
      ),
    ).toEqual([{ ordered: true, room: true }]);
    expect(await rowsOf('select to_number, status from calls where id = $1', [callId])).toEqual([
      { to_number: 'erased', status: 'in-progress' },
    ]);

    // As the dialer writes the end of the leg.
    await rowsOf(
      `update call_attempts set phase = 'ended', outcome = 'answered', ended_at = now(), sip_phrase = 'OK' where call_id = $1`,
      [callId],
    );
    await rowsOf(`update calls set status = 'answered', transcript = '["Ada"]', ended_at = now() where id = $1`, [
      callId,
    ]);
    expect(await tablesWith(number.slice(1))).toEqual([]);
    expect(await rowsOf('select transcript, status from calls where id = $1', [callId])).toEqual([
      { transcript: null, status: 'answered' },
    ]);
  });

  test('files that were never read to their end are emptied too, since it is unknown who is in them', async () => {
    const number = aPerson();
    await aTracedCall(number);
    const { batchId } = await aTracedCall(aPerson());
    await rowsOf(
      "update batches set calls_per_workflow = null, status = 'parse_failed', completed_at = now() where id = $1",
      [batchId],
    );
    await erase(number);
    expect(await rowsOf('select byte_size from batch_files where batch_id = $1', [batchId])).toEqual([
      { byte_size: 0 },
    ]);
  });

  // shows: contacts.audited
  test('the audit log holds a pseudonym and what was erased', async () => {
    const number = aPerson();
    await aTracedCall(number);
    await erase(number);
    const [entry] = await rowsOf<{ target: string; details: object }>(
      "select target, details from audit_log where account_id = $1 and action = 'contact.erase' order by id desc limit 1",
      [here().me.account.id],
    );
    expect(entry).toEqual({
      target: expect.stringMatching(/^contact_[0-9a-f]{24}$/),
      details: { calls: 1, rejectedRows: 1, files: 1 },
    });
  });
});

describe('404', () => {
  test('what is not known, and what is another account’s, is not found, and stays', async () => {
    const other = await anAccount();
    const theirs = aPerson();
    const { callId } = await aTracedCall(theirs, { accountId: other.account.id });
    for (const text of [aPerson(), theirs, 'nobody']) {
      const response = await api.delete(`/v1/contacts/${text}`);
      expect(response.status).toBe(404);
      expect(response.body).toEqual({ error: 'Nothing is known of this number' });
    }
    expect(await rowsOf('select to_number from calls where id = $1', [callId])).toEqual([{ to_number: theirs }]);
  });

  test('a person who was erased is not found again', async () => {
    const number = aPerson();
    await aTracedCall(number);
    expect((await api.delete(`/v1/contacts/${number}`)).status).toBe(200);
    expect((await api.delete(`/v1/contacts/${number}`)).status).toBe(404);
    expect((await api.get(`/v1/contacts/${number}`)).status).toBe(404);
  });
});

describe('409', () => {
  test('while a file is being read that may hold the person, nothing is erased and the answer says why', async () => {
    const number = aPerson();
    const { callId } = await aTracedCall(number);
    const { batchId } = await aBatch({ status: 'parsing' });

    const response = await api.delete(`/v1/contacts/${number}`);

    expect(response.status).toBe(409);
    expect(response.body).toEqual({ error: expect.stringContaining(batchId) });
    expect(await rowsOf('select to_number from calls where id = $1', [callId])).toEqual([{ to_number: number }]);
  });
});

import { v7 } from 'uuid';
import { describe, expect, test } from 'vitest';
import { takeIdempotencyKey } from '../../../db/queries/accounts/idempotency.js';
import { aBatch, csv, fields } from '../batch-calls/support.js';
import { aNumber, rowsOf } from '../support-resources.js';
import { anAccount, api, here } from '../support.js';
import { sendFile, sendParts, url } from './support.js';

describe('201', () => {
  const listed = (number: string) =>
    rowsOf<{ reason: string | null }>('select reason from do_not_call where account_id = $1 and e164 = $2', [
      here().me.account.id,
      number,
    ]);

  /** A call of a running batch with this status, and perhaps an attempt. */
  async function aCall(to: string, status: string, attempt?: string): Promise<string> {
    const { batchId, route } = await aBatch({ counts: { [status]: 1 } });
    const id = v7();
    await rowsOf('update batches set calls_per_workflow = 1 where id = $1', [batchId]);
    await rowsOf(
      `insert into calls (id, account_id, batch_id, position, to_number, from_number, rule_id, gateway_id, agent_id, status)
     values ($1, $2, $3, 0, $4, $5, $6, $7, $8, $9)`,
      [id, here().me.account.id, batchId, to, route.phoneNumber, route.ruleId, route.gatewayId, route.agentId, status],
    );
    if (attempt !== undefined) {
      await rowsOf(
        `insert into call_attempts (call_id, number, account_id, batch_id, gateway_id, to_number, due_at, phase, claimed_by,
         outcome)
       values ($1, 1, $2, $3, $4, $5, now(), $6, $7, $8)`,
        [
          ...[id, here().me.account.id, batchId, route.gatewayId, to, attempt],
          attempt === 'queued' || attempt === 'ended' ? null : v7(),
          attempt === 'ended' ? 'missed' : null,
        ],
      );
    }
    return id;
  }

  const callOf = async (id: string) =>
    (await rowsOf('select status, reason, settled from calls where id = $1', [id]))[0];

  // shows: dnc.add
  test('numbers are added once; those on the list stay as they are', async () => {
    const [first, second] = [aNumber(), aNumber()];
    const added = await api.post(url, { phoneNumbers: [first, second, first], reason: 'Asked' });
    expect(added.status).toBe(201);
    expect(added.body).toEqual({ added: 2, alreadyListed: 0, rejected: 0, rejectedRows: [] });
    const again = await api.post(url, { phoneNumbers: [first, aNumber()], reason: 'Another reason' });
    expect(again.body).toMatchObject({ added: 1, alreadyListed: 1 });
    expect(await listed(first)).toEqual([{ reason: 'Asked' }]);
  });

  // shows: dnc.add
  test('a file’s numbers are added, and rows that cannot be read are answered with their row number', async () => {
    const [first, second] = [aNumber(), aNumber()];
    const response = await sendFile(`name,phone_number\nA,${first}\nB,12\n\nC,${second}\n`, { reason: 'Complaints' });
    expect(response.status).toBe(201);
    expect(response.body).toEqual({
      ...{ added: 2, alreadyListed: 0, rejected: 1 },
      rejectedRows: [{ row: 3, value: '12', reason: 'invalid_number', message: expect.any(String) }],
    });
    expect(await listed(second)).toEqual([{ reason: 'Complaints' }]);
  });

  // shows: dnc.waiting
  test('a retry that waits and a queued attempt end at once, and the workflow hears of it; a live call goes on', async () => {
    const [waits, queued, live] = [aNumber(), aNumber(), aNumber()];
    const waiting = await aCall(waits, 'retrying', 'ended');
    const inQueue = await aCall(queued, 'pending', 'queued');
    const talking = await aCall(live, 'in-progress', 'answered');
    const kicks = here().kicks;

    await api.post(url, { phoneNumbers: [waits, queued, live] });

    const ended = { status: 'failed', reason: 'do_not_call', settled: true };
    expect(await callOf(waiting)).toEqual(ended);
    expect(await callOf(inQueue)).toEqual(ended);
    expect(await callOf(talking)).toMatchObject({ status: 'in-progress', settled: false });
    const [{ batch_id: batchId } = { batch_id: '' }] = await rowsOf<{ batch_id: string }>(
      'select batch_id from calls where id = $1',
      [waiting],
    );
    expect(await rowsOf('select kind, name from outbox where workflow_id = $1', [`${batchId}/calls-1`])).toEqual([
      { kind: 'signal', name: 'reload' },
    ]);
    expect(await rowsOf('select failed, retrying from batch_counters where batch_id = $1', [batchId])).toEqual([
      { failed: 1, retrying: 0 },
    ]);
    expect(here().kicks).toBeGreaterThan(kicks);
  });

  test('another account’s calls to the number go on', async () => {
    const { token } = await anAccount();
    const number = aNumber();
    const mine = await aCall(number, 'retrying');
    await api.post(url, { phoneNumbers: [number] }, { token });
    expect(await callOf(mine)).toMatchObject({ status: 'retrying' });
  });

  test('100,000 numbers are added by one request', async () => {
    const phoneNumbers = Array.from({ length: 100_000 }, (_, i) => `+9188${String(80_000_000 + i)}`);
    const response = await api.post(url, { phoneNumbers });
    expect(response.body).toMatchObject({ added: 100_000 });
    await rowsOf("delete from do_not_call where e164 like '+9188%'");
  });

  test('the audit log says how many, not who', async () => {
    const number = aNumber();
    await api.post(url, { phoneNumbers: [number] });
    const log = await rowsOf("select * from audit_log where action = 'do-not-call.add' order by id desc limit 1");
    expect(log).toMatchObject([{ details: { numbers: 1 } }]);
    expect(JSON.stringify(log)).not.toContain(number.slice(1));
  });
});

describe('400', () => {
  test('if one number is not valid none is added, and each that is wrong is named', async () => {
    const good = aNumber();
    const response = await api.post(url, { phoneNumbers: [good, '98770', 'x'], why: 1 });
    expect(response.status).toBe(400);
    const { errors } = response.body as { errors: string[] };
    expect(errors.map((line) => line.split(':')[0])).toEqual(['phoneNumbers[1]', 'phoneNumbers[2]', 'why']);
    expect(await rowsOf('select 1 from do_not_call where e164 = $1', [good])).toEqual([]);
  });

  test('a list without numbers is refused', async () => {
    expect((await api.post(url, { phoneNumbers: [] })).status).toBe(400);
    expect((await api.post(url, {})).body).toMatchObject({ errors: ['phoneNumbers: is required'] });
  });

  test('a file without a phone_number column is refused in the words of a batch call', async () => {
    const response = await sendFile('Phone Number\n+919877012345\n');
    expect(response.status).toBe(400);
    expect(response.body).toMatchObject({ errors: [expect.stringContaining('rename it to phone_number')] });
  });

  test('unknown fields, a wrong kind of file and a missing one are named', async () => {
    const wrong = await sendParts([csv('x', 'numbers.pdf'), ...fields({ why: 'x', missingPlus: 'guess' })]);
    expect(wrong.status).toBe(400);
    const { errors } = wrong.body as { errors: string[] };
    expect(errors.map((line) => line.split(':')[0])).toEqual(['file', 'missingPlus', 'why']);
    expect((await sendParts(fields({ reason: 'x' }))).body).toMatchObject({
      errors: [expect.stringMatching(/^file: is required/)],
    });
  });
});

describe('409', () => {
  test('while the first request with an Idempotency-Key runs, a second is told to wait', async () => {
    const key = { keyId: here().me.key.id, idempotencyKey: 'list-1' };
    const response = await here()
      .database.db.transaction()
      .execute(async (tx) => {
        await takeIdempotencyKey(tx, key);
        return api.post(url, { phoneNumbers: [aNumber()] }, { headers: { 'idempotency-key': key.idempotencyKey } });
      });
    expect(response.status).toBe(409);
    expect(response.body).toEqual({ error: expect.any(String) });
  });
});

describe('413', () => {
  test('a file of over 5 MB is refused', async () => {
    const response = await sendFile(`phone_number\n${'+919877012345\n'.repeat(380_000)}`);
    expect(response.status).toBe(413);
    expect(response.body).toMatchObject({ error: expect.any(String) });
  });
});

describe('422', () => {
  test('an Idempotency-Key repeats its first answer, whatever the boundary of the form, and is for one content', async () => {
    const headers = { 'idempotency-key': 'list-2' };
    const text = `phone_number\n${aNumber()}\n`;
    const first = await sendFile(text, {}, { headers });
    const again = await sendFile(text, {}, { headers });
    expect(again.status).toBe(201);
    expect(again.body).toEqual(first.body);
    expect(again.headers['idempotent-replayed']).toBe('true');
    const other = await sendFile(text, { reason: 'Another' }, { headers });
    expect(other.status).toBe(422);
    expect(other.body).toEqual({ error: expect.any(String) });
  });
});

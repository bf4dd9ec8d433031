import { afterEach, beforeEach, expect, test } from 'vitest';
import { dialerTestEnv, type DialerTestEnv, numbersEndingIn, until } from './test-env.js';

let env: DialerTestEnv;
beforeEach(async () => {
  env = await dialerTestEnv();
});
afterEach(() => env.close());

test.each([
  ['settle', 'do_not_call'],
  ['let out at the gate', null],
])(
  'a call that PostgreSQL refuses to %s keeps none of the same claim from being dialed, and waits by itself',
  async (_what, listed) => {
    const gateway = await env.gateway();
    const batchId = await env.batch(gateway);
    const numbers = numbersEndingIn(1, 7);
    const [stubborn = ''] = numbers.splice(3, 1);
    const { db, pool } = env.database;
    if (listed !== null)
      await db.insertInto('do_not_call').values({ account_id: env.accountId, e164: stubborn }).execute();
    await pool.query(`
    create function refuse() returns trigger language plpgsql as $$ begin
      raise exception 'what it holds is refused' using errcode = 'data_exception'; end $$;
    create trigger refuse before update on calls for each row when (new.to_number = '${stubborn}') execute function refuse()`);
    const [callId] = await env.calls(gateway, batchId, [stubborn, ...numbers]);
    await env.dialer();
    await until(() => env.told.length === numbers.length);
    const called = env.ledger().flatMap((line) => (line.event === 'invite' ? [line.to] : []));
    expect(called.toSorted()).toEqual(numbers.toSorted());
    const waits = () =>
      db
        .selectFrom('call_attempts')
        .select('phase')
        .where('call_id', '=', callId ?? '')
        .where('due_at', '>', new Date(Date.now() + 30_000))
        .execute();
    await expect.poll(waits).toEqual([{ phase: 'queued' }]);
  },
);

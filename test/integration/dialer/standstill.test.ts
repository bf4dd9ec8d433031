import { sql } from 'kysely';
import { v7 as uuid } from 'uuid';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { claimAttempts } from '../../../db/queries/dialer/claim-attempts.js';
import { noteUnprepared } from '../../../db/queries/dialer/gateway-health.js';
import { startLease } from '../../../db/queries/dialer/lease.js';
import { clockWords } from '../../../domain/call/clock-words.js';
import { ProviderUnreachable, type CallProvider } from '../../../telephony/provider.js';
import { type DialerTestEnv, dialerTestEnv, type Gateway, numbersEndingIn, until } from './test-env.js';
import { waitingOfBatch } from './waiting-of.js';

let testEnv: DialerTestEnv;
let gateway: Gateway;
beforeEach(async () => {
  testEnv = await dialerTestEnv();
  gateway = await testEnv.gateway({ callsPerSecond: 50 });
});
afterEach(() => testEnv.close());

const db = () => testEnv.database.db;
const sentenceOf = async (batchId: string) => (await waitingOfBatch(db(), testEnv.accountId, batchId)).sentence;
const admission = () =>
  db().selectFrom('gateway_admission').selectAll().where('gateway_id', '=', gateway.id).executeTakeFirstOrThrow();

/** Has it seem that none of the gateway's calls has been sent for so much longer. */
const later = (seconds: number) =>
  sql`
    update gateway_admission set unsent_since = unsent_since - make_interval(secs => ${seconds})
    where gateway_id = ${gateway.id}`.execute(db());

/** Has a dialer call with a provider that sends nothing until it is repaired. @param step at which it fails */
async function broken(step: 'prepare' | 'dial', failure: ProviderUnreachable) {
  const inner = testEnv.provider();
  const state = { isBroken: true, tries: 0 };
  const orFails: CallProvider = {
    ...inner,
    [step]: (...given: Parameters<CallProvider['dial']>) => {
      if (!state.isBroken) return (inner[step] as CallProvider['dial'])(...given);
      state.tries += 1;
      return Promise.reject(failure);
    },
  };
  await testEnv.dialer(orFails);
  return state;
}

const answered = (ids: readonly string[]) =>
  db().selectFrom('calls').select('id').where('id', 'in', ids).where('status', '=', 'answered').execute();

test.each([
  ['dial', 'no_sip_server', 'the telephony server has no SIP server that takes them'],
  ['prepare', 'trunk_name_unknown', 'DNS does not resolve the host name in its address'],
] as const)(
  'a batch says why none of its calls gets out if %s fails with %s, and no longer once one does',
  async (step, reason, words) => {
    const batchId = await testEnv.batch(gateway);
    const ids = await testEnv.calls(gateway, batchId, numbersEndingIn(0, 2, 100));
    const provider = await broken(step, new ProviderUnreachable('secret.internal is away', { unsent: reason }));
    await until(async () => (await admission()).unsent_reason === reason);
    expect(await sentenceOf(batchId)).not.toContain('No call has left');
    await later(10);
    expect(await sentenceOf(batchId)).toMatch(/No call has left through the gateway since \d\d:\d\d UTC: /);
    expect(await sentenceOf(batchId)).toContain(words);
    expect(await sentenceOf(batchId)).not.toContain('secret.internal');
    await sql`update batches set paused = true`.execute(db());
    expect(await sentenceOf(batchId)).not.toContain('No call has left');
    await sql`update batches set paused = false`.execute(db());
    provider.isBroken = false;
    await sql`update call_attempts set due_at = clock_timestamp() where phase = 'queued'`.execute(db());
    await sql`update gateway_admission set next_claim_at = clock_timestamp()`.execute(db());
    await until(async () => (await answered(ids)).length === 2);
    await until(async () => (await admission()).unsent_since === null);
  },
);

test('a call that has left is enough, before it has ended, until none has left since', async () => {
  const batchId = await testEnv.batch(gateway);
  await testEnv.calls(gateway, batchId, numbersEndingIn(0, 3, 100));
  const id = uuid();
  await startLease(db(), { id, host: 'here', pid: 1 }, 600);
  expect(await claimAttempts(db(), id, 1)).toHaveLength(1);
  await noteUnprepared(db(), gateway.id, 'provider_unreachable');
  await later(10);
  expect(await sentenceOf(batchId)).toContain('the telephony server does not answer, or refuses them');
  await sql`
    update call_attempts set phase = 'ringing', invite = 1, dialed_at = clock_timestamp() where phase = 'claimed'`.execute(
    db(),
  );
  expect(await sentenceOf(batchId)).not.toContain('No call has left');
  // It goes on ringing, and of those after it none is sent.
  const { rows } = await sql<{ at: Date }>`
    update call_attempts set dialed_at = clock_timestamp() - interval '6 seconds' where phase = 'ringing' returning dialed_at as at`.execute(
    db(),
  );
  await sql`update gateway_admission set unsent_at = clock_timestamp(), unsent_since = unsent_since - interval '1 day'`.execute(
    db(),
  );
  const since = clockWords(rows[0]!.at, 'UTC', new Date());
  expect(await sentenceOf(batchId)).toContain(`No call has left through the gateway since ${since}: `);
});

test('calls that cannot be prepared wait longer, the longer none can be', async () => {
  await testEnv.calls(gateway, await testEnv.batch(gateway), numbersEndingIn(0, 1, 100));
  await broken('prepare', new ProviderUnreachable('away'));
  const putOffBySeconds = async () => {
    const { rows } = await sql<{ seconds: number }>`
      select extract(epoch from due_at - clock_timestamp())::float8 as seconds from call_attempts where phase = 'queued'`.execute(
      db(),
    );
    return rows[0]?.seconds ?? 0;
  };
  await until(async () => (await putOffBySeconds()) > 0);
  await later(300);
  await sql`update call_attempts set due_at = clock_timestamp() where phase = 'queued'`.execute(db());
  await until(async () => (await putOffBySeconds()) > 30);
  expect(await putOffBySeconds()).toBeLessThanOrEqual(60);
});

test('a batch says so if dialers run and none does its work, until one does', async () => {
  const batchId = await testEnv.batch(gateway);
  await testEnv.calls(gateway, batchId, numbersEndingIn(0, 1, 100));
  await sql`alter function claim_attempts rename to claim_no_attempts`.execute(db());
  await testEnv.dialer(undefined, 3);
  const troubled = 'A dialer is running but cannot do its work';
  expect(await sentenceOf(batchId)).not.toContain(troubled);
  await until(async () => (await sentenceOf(batchId)).includes(troubled));
  await startLease(db(), { id: uuid(), host: 'there', pid: 2 }, 600);
  expect(await sentenceOf(batchId)).not.toContain(troubled);
});

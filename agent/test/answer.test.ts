import { v7 as uuidv7 } from 'uuid';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Database, openDatabase } from '../../db/client.js';
import { formatId } from '../../domain/ids.js';
import { createLogger } from '../../platform/logger.js';
import { testDatabase } from '../../test/setup/database.js';
import { instantOfAnswer } from '../conversation/answer.js';

const logger = createLogger('agent', 'fatal');
let database: Database;
let close: () => Promise<void>;
const accountId = formatId('account', uuidv7());
beforeAll(async () => {
  const testing = await testDatabase();
  database = openDatabase({ url: testing.url, poolSize: 2, name: 'test' });
  close = () => testing.close();
  await database.db
    .insertInto('accounts')
    .values({ id: accountId, name: 'Test', webhook_secret_sealed: 'sealed' })
    .execute();
});
afterAll(async () => {
  await database.close();
  await close();
});

async function aLeg(answeredAt: Date | null) {
  const callId = uuidv7();
  const parties = { account_id: accountId, to_number: `+1555${Date.now() % 10_000_000}`, gateway_id: 'gwo_test' };
  const ids = { rule_id: 'rule_test', agent_id: 'agent_test', version_id: 'version_test' };
  await database.db
    .insertInto('calls')
    .values({ id: callId, ...parties, ...ids, from_number: '+15550100001', status: 'answered' })
    .execute();
  await database.db
    .insertInto('call_attempts')
    .values({
      call_id: callId,
      number: 1,
      ...parties,
      phase: 'ringing',
      invite: 1,
      due_at: new Date(),
      claimed_by: uuidv7(),
      claimed_at: new Date(),
      dialed_at: new Date(),
      room: callId,
      answered_at: answeredAt,
    })
    .execute();
  return { accountId, callId, attempt: 1 };
}
const over = new AbortController().signal;
const asked = { known: null, logger, callee: { answered: Promise.resolve(true), over } };

test('F3: the answer was when the dialer says, however much later this process noticed it', async () => {
  const at = new Date(Date.now() - 7_000);
  expect(await instantOfAnswer({ ...asked, leg: await aLeg(at), db: database.db })).toEqual(at);
});

test('F3: an answer that the dialer stores a moment later is waited for', async () => {
  const leg = await aLeg(null);
  const at = new Date(Date.now() - 40);
  const found = instantOfAnswer({ ...asked, leg, db: database.db });
  await database.db
    .updateTable('call_attempts')
    .set({ answered_at: at })
    .where('call_id', '=', leg.callId)
    .where('account_id', '=', accountId)
    .execute();
  expect(await found).toEqual(at);
});

test('an answer is never later than it was noticed, and one that is known needs no look', async () => {
  const early = new Date(Date.now() - 9_000);
  expect(await instantOfAnswer({ ...asked, known: early, leg: null, db: database.db })).toEqual(early);
  const from = Date.now();
  const leg = await aLeg(new Date(from + 60_000));
  const noticed = await instantOfAnswer({ ...asked, leg, db: database.db });
  expect(noticed?.getTime()).toBeGreaterThanOrEqual(from);
  expect(noticed?.getTime()).toBeLessThanOrEqual(Date.now());
});

test('a call that ends unanswered has no instant', async () => {
  const callee = { answered: Promise.resolve(false), over };
  expect(await instantOfAnswer({ ...asked, callee, leg: null, db: database.db })).toBeNull();
});

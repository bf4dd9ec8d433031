import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import {
  countWhatMayHaveBeenDialed,
  endWhatMayHaveBeenDialed,
  leasedUntil,
} from '../../../db/queries/upkeep/after-restore.js';
import { temporaryFolder } from '../../../embedded/temporary-folder.js';
import { outdialHere } from '../cli/commands.js';
import { dialerTestEnv, numbersEndingIn, until, type DialerTestEnv } from './test-env.js';

let testEnv: DialerTestEnv;
afterEach(() => testEnv.close());

const tomorrow = new Date(Date.now() + 86_400_000);

/** A batch whose calls wait: two are due, one is due tomorrow, one is between two attempts. */
async function waitingBatch() {
  testEnv = await dialerTestEnv();
  const { db } = testEnv.database;
  const gateway = await testEnv.gateway();
  const numbers = numbersEndingIn(7, 4);
  const ids = await testEnv.calls(gateway, await testEnv.batch(gateway), numbers);
  const [, , later = '', between = ''] = ids;
  await db.updateTable('call_attempts').set({ due_at: tomorrow }).where('call_id', '=', later).execute();
  await db.deleteFrom('call_attempts').where('call_id', '=', between).execute();
  const stateOf = async () => {
    const rows = await db.selectFrom('calls').select(['id', 'status', 'reason']).where('id', 'in', ids).execute();
    return ids.map((id) => {
      const row = rows.find((each) => each.id === id);
      return row?.reason ?? row?.status;
    });
  };
  return { db, ids, numbers, stateOf };
}

test('without a list of the carrier, whoever was due ends as unknown, those due later wait on, and a second time changes nothing', async () => {
  const { db, stateOf } = await waitingBatch();
  const lost = { stoppedAt: new Date(), dialed: null };
  expect(await countWhatMayHaveBeenDialed(db, lost)).toEqual({ live: 0, waiting: 3, awaited: 0 });
  expect(await stateOf()).toEqual(['pending', 'pending', 'pending', 'pending']);
  expect(await endWhatMayHaveBeenDialed(db, lost)).toEqual({ live: 0, waiting: 3, awaited: 0 });
  expect(await stateOf()).toEqual(['unknown', 'unknown', 'pending', 'unknown']);
  expect(await endWhatMayHaveBeenDialed(db, lost)).toEqual({ live: 0, waiting: 0, awaited: 0 });
  const { rows } = await testEnv.database.pool.query<{ details: object }>(
    `select details from audit_log where account_id = $1 and action = 'calls.restored'`,
    [testEnv.accountId],
  );
  expect(rows).toEqual([{ details: { by: 'operator', calls: 3 } }]);
});

test('with a list, its numbers are not dialed, and all others are', async () => {
  const { db, ids, numbers, stateOf } = await waitingBatch();
  const lost = { stoppedAt: new Date(), dialed: [numbers[0]!, numbers[3]!] };
  expect(await endWhatMayHaveBeenDialed(db, lost)).toEqual({ live: 0, waiting: 2, awaited: 0 });
  expect(await stateOf()).toEqual(['unknown', 'pending', 'pending', 'unknown']);
  await testEnv.dialer();
  const invited = () => testEnv.ledger().flatMap(({ event, callId }) => (event === 'invite' ? [callId] : []));
  await until(() => invited().length > 0);
  expect(invited()).toEqual([ids[1]]);
});

test('a dialer that runs is seen, and one that has ended is not', async () => {
  const { db } = await waitingBatch();
  const dialer = await testEnv.dialer();
  expect(await leasedUntil(db)).toBeInstanceOf(Date);
  await dialer.close();
  expect(await leasedUntil(db)).toBeNull();
});

test('the command names each line of the list that is no number, and refuses a day alone and a time in the future', async () => {
  testEnv = await dialerTestEnv();
  const file = join(temporaryFolder('dialed'), 'dialed.csv');
  writeFileSync(file, 'number,at\n+12125550111,10:00\n"12125550112";x\n\nnobody,11:00\n12,11:05\n');
  const run = (...args: string[]) =>
    outdialHere(['restored', ...args], { OUTDIAL_DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none' });
  const wrong = await run('--stopped-at', '2026-05-01T12:00:00Z', '--dialed', file);
  expect(wrong.stderr).toMatch(/line 5: not a phone number .*line 6: not a phone number/);
  expect(wrong.stderr).not.toMatch(/line [1-4]:/);
  expect((await run('--stopped-at', '2026-05-01')).stderr).toContain('--stopped-at: a date and time such as');
  expect((await run('--stopped-at', '2999-05-01T12:00:00Z')).stderr).toContain('in the future');
  expect((await run()).stderr).toContain('--stopped-at');
});

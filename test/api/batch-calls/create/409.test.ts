import { expect, test } from 'vitest';
import { anotherApp, here } from '../../support.js';
import { aRoute, csv, fields, send } from '../support.js';

test('P2-7: an account that has as many open batch calls as it may have is told so, and may go on after one is over', async () => {
  const { phoneNumber } = await aRoute();
  const app = await anotherApp({ env: { ...here().deps.env, OUTDIAL_MAX_OPEN_BATCHES: 1 } });
  const create = () => send([csv(), ...fields({ name: 'Reminders', phoneNumber })], { app });
  expect((await create()).status).toBe(201);
  const refused = await create();
  expect([refused.status, refused.text]).toEqual([409, expect.stringContaining('1 batch calls that are not finished')]);
  await here()
    .database.db.updateTable('batches')
    .set({ status: 'parse_failed', parse_error: 'no', completed_at: new Date() })
    .execute();
  expect((await create()).status).toBe(201);
});

test('P2-7: an account that keeps as many bytes as it may keep is told so with 413', async () => {
  const { phoneNumber } = await aRoute();
  const app = await anotherApp({ env: { ...here().deps.env, OUTDIAL_MAX_STORED_MB: 1 } });
  const file = csv(`phone_number,note\n+919877012345,${'x'.repeat(600_000)}\n`);
  const create = () => send([file, ...fields({ name: 'Reminders', phoneNumber })], { app });
  expect((await create()).status).toBe(201);
  const refused = await create();
  expect([refused.status, refused.text]).toEqual([413, expect.stringContaining('may keep 1 MB')]);
});

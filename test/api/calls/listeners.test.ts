import { v7 as uuidv7 } from 'uuid';
import { expect, test } from 'vitest';
import { deactivateKey, issueToken } from '../../../api/account/keys.js';
import { resumeAccount, suspendAccount } from '../../../db/queries/accounts/suspension.js';
import { refuseTokensBefore } from '../../../db/queries/accounts/revoked-tokens.js';
import { forgetListeners, insertListener, refusedListeners } from '../../../db/queries/calls/listeners.js';
import { issuedSecondsOf, revocationHash } from '../../../platform/token.js';
import { rowsOf } from '../support-resources.js';
import { anAccount, api, here } from '../support.js';

/** A place that a token of an account was given. */
async function aListener(ttlSeconds = 600) {
  const { database, deps } = here();
  const { account, key } = await anAccount();
  const token = await issueToken(database.db, deps.secretBox, key.id, { ttlSeconds });
  const id = uuidv7();
  await insertListener(database.db, {
    ...{ id, accountId: account.id, keyId: key.id, region: 'default', room: `room of ${id}` },
    ...{ tokenHash: revocationHash(token), tokenIssuedSeconds: issuedSecondsOf(token) },
  });
  const isRefused = async () => (await refusedListeners(database.db)).some((each) => each.id === id);
  return { id, account, key, token, isRefused };
}
type AListener = Awaited<ReturnType<typeof aListener>>;

const keyEnds = ({ key }: AListener) => rowsOf('update api_keys set expires_at = now() where id = $1', [key.id]);
const grownOld = ({ id }: AListener) =>
  rowsOf("update listeners set created_at = now() - interval '12 hours 1 minute' where id = $1", [id]);

// shows: token.listeners
test.each([
  ['the token is revoked', ({ token }) => api.post('/v1/account/tokens/revoke', { token }, { token })],
  [
    'all tokens of the key are',
    ({ key }) => refuseTokensBefore(here().database.db, key.id, new Date(Date.now() + 1_000)),
  ],
  ['the key is deactivated', ({ key }) => deactivateKey(here().database.db, key.id)],
  ['the key ends', keyEnds],
  [
    'the account is suspended',
    ({ account }) => suspendAccount(here().database.db, account.id, { reason: null, hangUp: false }),
  ],
  ['the place is twelve hours old', grownOld],
] satisfies [string, (listener: AListener) => Promise<unknown>][])(
  'a listener is refused once %s, and no other is',
  async (_, revoke) => {
    const [listener, other] = [await aListener(), await aListener()];
    expect(await listener.isRefused()).toBe(false);
    await revoke(listener);
    expect([await listener.isRefused(), await other.isRefused()]).toEqual([true, false]);
  },
);

test('tokens that were issued after the time before which a key refuses them go on listening', async () => {
  const { key, isRefused } = await aListener();
  await refuseTokensBefore(here().database.db, key.id, new Date(Date.now() - 60_000));
  expect(await isRefused()).toBe(false);
});

test('a listener that was refused once stays refused, and is forgotten when nothing of LiveKit lets it in any more', async () => {
  const { db } = here().database;
  const { id, account, isRefused } = await aListener();
  await suspendAccount(db, account.id, { reason: null, hangUp: false });
  expect(await isRefused()).toBe(true);
  await resumeAccount(db, account.id);
  await forgetListeners(db, [id]);
  expect(await isRefused()).toBe(true);
  await rowsOf("update listeners set refused_at = now() - interval '16 minutes' where id = $1", [id]);
  await forgetListeners(db, []);
  expect(await isRefused()).toBe(true);
  await forgetListeners(db, [id]);
  expect(await rowsOf('select from listeners where id = $1', [id])).toEqual([]);
});

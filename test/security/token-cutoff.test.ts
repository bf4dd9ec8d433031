import { expect, test } from 'vitest';
import { issueToken } from '../../api/account/keys.js';
import { findActiveKey } from '../../db/queries/accounts/keys.js';
import { refuseTokensBefore } from '../../db/queries/accounts/revoked-tokens.js';
import { signToken } from '../../platform/token.js';
import { SignJWT } from 'jose';
import { anAccount, anotherApp, api, here, useApi } from '../api/support.js';
import { anAgent } from '../api/support-resources.js';

useApi();

const secondsAgo = (seconds: number) => new Date(Date.now() - seconds * 1000);

test('P3-7: every token of a key that was issued before a time is refused, in every api process at once', async () => {
  const { database } = here();
  const { key, secret } = await anAccount();
  const other = await anotherApp({});
  const statuses = async (token: string) =>
    Promise.all([api.get('/v1/account', { token }), api.get('/v1/account', { token, app: other })]).then((answers) =>
      answers.map(({ status }) => status),
    );
  const [old, newer] = [
    await signToken(secret, { keyId: key.id }, secondsAgo(600)),
    await signToken(secret, { keyId: key.id }, secondsAgo(60)),
  ];
  const undated = await new SignJWT({ apikey: key.id })
    .setProtectedHeader({ alg: 'HS256' })
    .sign(new TextEncoder().encode(secret));
  for (const token of [old, newer, undated]) expect(await statuses(token)).toEqual([200, 200]);

  await refuseTokensBefore(database.db, key.id, secondsAgo(300));
  expect(await statuses(old)).toEqual([401, 401]);
  expect(await statuses(undated)).toEqual([401, 401]);
  expect(await statuses(newer)).toEqual([200, 200]);
  expect((await api.get('/v1/account', { token: old })).text).toContain('revoked');
  expect((await api.get('/v1/account', { token: newer })).status).toBe(200);
});

test('P3-7: the time moves forward only, whichever of two commands comes last', async () => {
  const { database } = here();
  const { key } = await anAccount();
  const late = secondsAgo(10);
  await Promise.all([
    refuseTokensBefore(database.db, key.id, late),
    refuseTokensBefore(database.db, key.id, secondsAgo(600)),
  ]);
  expect((await findActiveKey(database.db, key.id))?.tokensNotBefore).toEqual(late);
  expect(await refuseTokensBefore(database.db, 'key_none')).toBeNull();
});

test('P3-7: a token that is issued right after all before were revoked counts, and so does a session of the playground', async () => {
  const { database, deps } = here();
  const { key } = await anAccount();
  await refuseTokensBefore(database.db, key.id);
  const token = await issueToken(database.db, deps.secretBox, key.id, { ttlSeconds: 600 });
  expect((await api.get('/v1/account', { token })).status).toBe(200);
  const agentId = await anAgent({ accountId: key.accountId });
  const session = await api.post(`/v1/agents/${agentId}/playground-sessions`, {}, { token });
  expect(session.status).toBe(201);
  const own = (session.body as { token: string }).token;
  expect((await api.post(`/v1/agents/${agentId}/playground-sessions`, {}, { token: own })).status).toBe(201);
});

test('P3-7: a session of the playground ends with the tokens of its key', async () => {
  const { database } = here();
  const { key, token } = await anAccount();
  const agentId = await anAgent({ accountId: key.accountId });
  const session = await api.post(`/v1/agents/${agentId}/playground-sessions`, {}, { token });
  await refuseTokensBefore(database.db, key.id, new Date(Date.now() + 1_000));
  const own = (session.body as { token: string }).token;
  expect((await api.post(`/v1/agents/${agentId}/playground-sessions`, {}, { token: own })).status).toBe(401);
});

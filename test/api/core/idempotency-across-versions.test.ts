import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { withIdempotency } from '../../../api/idempotency.js';
import type { OperationRequest } from '../../../api/operation.js';
import { api, here } from '../support.js';

/** Two versions of the service beside each other: both read the same rows, and each reads a body with its own defaults. */

interface Sent {
  readonly key: string;
  readonly body: unknown;
  readonly permissions?: readonly string[];
}

/** A request to a version that reads this body as `fields`. @returns what it made, and whether that is the first answer again */
async function ask({ key, body, permissions }: Sent, fields: unknown) {
  const { deps, me } = here();
  const request = {
    route: 'POST /v1/things',
    params: {},
    body: fields,
    raw: { headers: { 'idempotency-key': key }, body },
    caller: { accountId: me.account.id, keyId: me.key.id, token: 'token', permissions: permissions ?? null },
  } as unknown as OperationRequest<unknown, unknown, unknown>;
  const made = randomUUID();
  const { body: answer } = await withIdempotency(request, deps, fields, () =>
    Promise.resolve({ status: 201 as const, body: { made } }),
  );
  return { made: answer.made, isFirst: answer.made === made };
}

/** As the version before stores an answer, or replaces one whose time is over: it knows nothing of what was sent. */
const storedByVersionBefore = (key: string, change = sql`sent_fingerprint = null`) =>
  sql`update idempotency_keys set ${change} where idempotency_key = ${key}`.execute(here().database.db);

test('a request that is sent again after an upgrade gives the first answer, also if the new version reads a default into it', async () => {
  const sent = { key: 'over an upgrade', body: { name: 'x', note: null } };
  const { made } = await ask(sent, { name: 'x' });
  expect(await ask(sent, { name: 'x', retries: 3 })).toEqual({ made, isFirst: false });
  expect(await ask(sent, { name: 'x' })).toEqual({ made, isFirst: false });
  await expect(ask({ ...sent, body: { name: 'y' } }, { name: 'y', retries: 3 })).rejects.toThrow('another request');
});

test('an answer that the version before has stored is given again after the upgrade, to the same fields', async () => {
  const sent = { key: 'stored before', body: { name: 'x' } };
  const { made } = await ask(sent, { name: 'x', retries: 3 });
  await storedByVersionBefore(sent.key);
  expect(await ask(sent, { name: 'x', retries: 3 })).toEqual({ made, isFirst: false });
  await expect(ask(sent, { name: 'x', retries: 4 })).rejects.toThrow('another request');
});

test('fields that mean the same give the first answer, however they are written', async () => {
  const { made } = await ask({ key: 'written otherwise', body: { name: 'x' } }, { name: 'x', retries: 3 });
  const written = { key: 'written otherwise', body: { retries: 3, name: 'x' } };
  expect(await ask(written, { name: 'x', retries: 3 })).toEqual({ made, isFirst: false });
});

test('what was sent with a key a day ago counts no more once the version before has given that key to another request', async () => {
  const sent = { key: 'given again', body: { name: 'x' } };
  await ask(sent, { name: 'x' });
  await storedByVersionBefore(sent.key, sql`fingerprint = 'of another request'`);
  await expect(ask(sent, { name: 'x' })).rejects.toThrow('another request');
});

test('the answer to a stronger token is not given to a weaker one that sends the same, if the two are read differently', async () => {
  const sent = { key: 'of tokens', body: { name: 'x' } };
  await ask(sent, { name: 'x' });
  const weaker = { ...sent, permissions: ['read'] };
  await expect(ask(weaker, { name: 'x', permissions: ['read'] })).rejects.toThrow('another request');
});

test('every operation that takes the header stores what was sent beside what was read', async () => {
  const headers = { 'idempotency-key': 'both' };
  expect((await api.post('/v1/account/keys', { name: 'x' }, { headers })).status).toBe(201);
  const { rows } = await sql<{ fingerprint: string; sent_fingerprint: string }>`
    select fingerprint, sent_fingerprint from idempotency_keys where idempotency_key = 'both'`.execute(
    here().database.db,
  );
  const hash = expect.stringMatching(/^[\da-f]{64}$/) as string;
  expect(rows).toEqual([{ fingerprint: hash, sent_fingerprint: hash }]);
});

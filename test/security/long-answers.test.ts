import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { deactivateKey, issueToken } from '../../api/account/keys.js';
import { suspendAccount } from '../../db/queries/accounts/suspension.js';
import { refuseTokensBefore } from '../../db/queries/accounts/revoked-tokens.js';
import { aBatchOf } from '../api/batch-calls/support-records.js';
import { anAccount, anotherApp, api, here, useApi } from '../api/support.js';

useApi();

const records = 20_000;

/** An export of some 10 MB, more than a connection takes by itself, of which the first bytes were read. */
async function anExport() {
  const { database, deps } = here();
  const { account, key } = await anAccount();
  const { batchId } = await aBatchOf([{ phoneNumber: '+919877300001' }], { accountId: account.id, columns: ['note'] });
  await sql`
    insert into calls (id, account_id, batch_id, position, to_number, from_number, rule_id, gateway_id, agent_id, metadata)
    select gen_random_uuid(), account_id, batch_id, n, to_number, from_number, rule_id, gateway_id, agent_id,
      jsonb_build_object('note', repeat('x', 400))
    from calls, generate_series(1, ${records - 1}) n where batch_id = ${batchId}`.execute(database.db);
  const token = await issueToken(database.db, deps.secretBox, key.id, { ttlSeconds: 600 });
  const app = await anotherApp({});
  await app.listen({ port: 0, host: '127.0.0.1' });
  const { port } = app.server.address() as AddressInfo;
  const path = `/v1/batch-calls/${batchId}/records/export`;
  const request = get({ port, path, headers: { authorization: token }, agent: false });
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  expect(response.statusCode).toBe(200);
  await once(response, 'readable');
  const connections = () =>
    new Promise<number>((resolve, reject) =>
      app.server.getConnections((error, count) => (error === null ? resolve(count) : reject(error))),
    );
  return { account, key, token, response, connections };
}

/** Reads what is left. @returns the lines that came, and whether the answer was whole */
async function rest(response: IncomingMessage): Promise<{ lines: number; whole: boolean }> {
  let lines = 0;
  try {
    for await (const chunk of response) lines += String(chunk).split('\n').length - 1;
    return { lines, whole: response.complete };
  } catch {
    return { lines, whole: false };
  }
}

test('an export that is read slowly comes to its end while its token counts', async () => {
  const { response } = await anExport();
  expect(await rest(response)).toEqual({ lines: records + 1, whole: true });
});

// shows: token.long-answers
test.each([
  ['its token is revoked', ({ token }) => api.post('/v1/account/tokens/revoke', { token }, { token })],
  [
    'all tokens of its key are',
    ({ key }) => refuseTokensBefore(here().database.db, key.id, new Date(Date.now() + 1_000)),
  ],
  ['its key is deactivated', ({ key }) => deactivateKey(here().database.db, key.id)],
  [
    'its account is suspended',
    ({ account }) => suspendAccount(here().database.db, account.id, { reason: null, hangUp: false }),
  ],
] satisfies [string, (begun: Awaited<ReturnType<typeof anExport>>) => Promise<unknown>][])(
  'an answer that is being sent ends within seconds when %s: a slow reader gets nothing more',
  async (_, revoke) => {
    const begun = await anExport();
    await revoke(begun);
    await expect.poll(() => begun.connections(), { timeout: 60_000 }).toBe(0);
    const { lines, whole } = await rest(begun.response);
    expect(whole).toBe(false);
    expect(lines).toBeLessThan(records);
  },
);

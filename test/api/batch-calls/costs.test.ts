import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { formatId } from '../../../domain/ids.js';
import { anAccount, api, here } from '../support.js';
import { aConversation } from './support-conversation.js';
import { aRoute, csv, fields, multipart } from './support.js';

test('a call, its record, its batch, statistics and export say what it has cost, and what had no price; nobody else’s answers do', async () => {
  const { token, account } = await anAccount('Costs');
  const prices = { currency: 'USD', calls: [{ country: 'US', perMinute: 0.0306, incrementSeconds: 30 }] };
  expect((await api.put('/v1/account/prices', prices, { token })).status).toBe(200);
  const { phoneNumber } = await aRoute({ accountId: account.id });
  const { body, contentType } = multipart([csv(), ...fields({ name: 'Costs', phoneNumber })]);
  const created = await api.post('/v1/batch-calls', body, { token, headers: { 'content-type': contentType } });
  const { batchId } = created.body as { batchId: string };
  await sql`
    with running as (update batches set status = 'running' where id = ${batchId} returning id)
    insert into batch_counters (batch_id, pending) select id, 2 from running`.execute(here().database.db);
  const path = `/v1/batch-calls/${batchId}`;
  const get = async (at: string) => (await api.get(at, { token })).body as Record<string, unknown>;
  expect(await get(path)).toMatchObject({ cost: { amount: 0, currency: 'USD', withoutPrice: 0 } });

  const priced = await aConversation(account.id, batchId, '+14155550123', 'US', 0);
  const unpriced = await aConversation(account.id, batchId, '+442071838750', 'GB', 1);
  const cost = { amount: 0.0153, currency: 'USD', withoutPrice: 0 };
  const none = { amount: null, currency: 'USD', withoutPrice: 1 };

  const call = (id: string) => get(`/v2/sip/call/${formatId('call', id)}`);
  expect(await call(priced)).toMatchObject({ data: { cost, attempts: [{ cost: 0.0153 }] } });
  expect(await call(unpriced)).toMatchObject({ data: { cost: none } });
  expect(((await call(unpriced)).data as { attempts: object[] }).attempts[0]).not.toHaveProperty('cost');
  expect(await get(`/v2/sip/call?batchId=${batchId}`)).toMatchObject({ data: [{ cost: none }, { cost }] });
  expect(await get(`${path}/records`)).toMatchObject({ data: [{ cost }, { cost: none }] });

  const both = { ...cost, withoutPrice: 1 };
  expect(await get(path)).toMatchObject({ cost: both });
  expect(await get('/v1/batch-calls')).toMatchObject({ data: [{ batchId, cost: both }] });
  const rows = [{ key: '09', cost: 0.0153, withoutPrice: 1 }];
  expect(await get(`${path}/stats?by=hour`)).toMatchObject({ cost: both, currency: 'USD', rows });
  expect(await get('/v1/stats?by=hour&from=2027-03-01&to=2027-03-01')).toMatchObject({ currency: 'USD', rows });

  const lines = (await api.get(`${path}/records/export`, { token })).text.trim().split('\r\n');
  const columns = lines[0]?.split(',') ?? [];
  expect(columns.slice(-2)).toEqual(['"cost"', '"currency"']);
  expect(lines.slice(1).map((line) => line.split(',').slice(-2))).toEqual([
    ['0.0153', '"USD"'],
    ['', ''],
  ]);

  const other = await anAccount('Has no prices');
  expect((await api.get(path, { token: other.token })).status).toBe(404);
  expect((await api.get('/v1/stats', { token: other.token })).body).not.toHaveProperty('currency');
});

import { sql } from 'kysely';
import { v7 as uuidv7 } from 'uuid';
import { describe, expect, test } from 'vitest';
import { formatId } from '../../../../domain/ids.js';
import { anAccount, api, here } from '../../support.js';
import { rowsOf } from '../../support-resources.js';
import { aRoute, csv, fields, type Route, send } from '../support.js';

let made = 0;

/** One more number of the account, served by the gateway and rule of the route. */
async function beside({ gatewayId, ruleId }: Route, { gateway = gatewayId, rule = ruleId } = {}): Promise<string> {
  const { db } = here().database;
  const accountId = here().me.account.id;
  const id = formatId('number', uuidv7());
  const e164 = `+1212555${String(++made).padStart(4, '0')}`;
  await sql`insert into phone_numbers (id, account_id, e164, name) values (${id}, ${accountId}, ${e164}, 'Line')`.execute(
    db,
  );
  if (gateway !== '') {
    await sql`insert into number_gateways (number_id, direction, gateway_id, account_id, e164)
      values (${id}, 'outbound', ${gateway}, ${accountId}, ${e164})`.execute(db);
  }
  if (rule !== '') {
    await sql`insert into rule_numbers (rule_id, number_id, account_id, type, e164, position)
      values (${rule}, ${id}, ${accountId}, 'outbound', ${e164}, ${made})`.execute(db);
  }
  return e164;
}

const create = (phoneNumbers: readonly string[], more: object = {}) =>
  send([...fields({ name: 'Pool', phoneNumbers, ...more }), csv()]);

describe('201', () => {
  test('a batch calls from several numbers: they are answered, counted, and kept while it is not finished', async () => {
    const route = await aRoute();
    const numbers = [route.phoneNumber, await beside(route), await beside(route)];
    const response = await create(numbers, { numberOnRetry: 'other' });
    expect([response.status, response.text]).toEqual([201, expect.any(String)]);
    const { batchId, phoneNumber } = response.body as { batchId: string; phoneNumber: string };
    expect(phoneNumber).toBe(route.phoneNumber);
    const answer = await api.get(`/v1/batch-calls/${batchId}`);
    expect(answer.body).toMatchObject({ phoneNumbers: numbers, numberOnRetry: 'other' });
    expect(await rowsOf('select e164 from counted_numbers where e164 = any ($1) order by e164', [numbers])).toEqual(
      numbers.toSorted().map((e164) => ({ e164 })),
    );

    const release = await api.post(`/v2/sip/phone-numbers/${encodeURIComponent(numbers[1]!)}/release`, {});
    expect([release.status, release.text]).toEqual([409, expect.stringContaining(batchId)]);

    const changed = await api.patch(`/v1/batch-calls/${batchId}`, { numberOnRetry: 'same', phoneNumbers: numbers });
    expect([changed.status, changed.body]).toEqual([200, expect.objectContaining({ numberOnRetry: 'same' })]);
    const refused = await api.patch(`/v1/batch-calls/${batchId}`, { phoneNumbers: numbers.slice(1) });
    expect([refused.status, refused.text]).toEqual([400, expect.stringContaining('cannot be changed')]);
  });
});

describe('400', () => {
  // shows: numbers.of-a-batch
  test('each number that cannot be used is named with its place and reason, all at once', async () => {
    const route = await aRoute();
    const other = await aRoute();
    const stranger = await anAccount();
    const theirs = await aRoute({ accountId: stranger.account.id });
    const bare = await beside(route, { gateway: '' });
    const response = await create([route.phoneNumber, theirs.phoneNumber, bare, other.phoneNumber]);
    expect(response.status).toBe(400);
    expect(response.text).toContain(`${theirs.phoneNumber} is no number of the account`);
    expect(response.text).toContain(`${bare} has no outbound gateway attached`);
    expect(response.text).toContain(`${other.phoneNumber} goes out by another gateway than ${route.phoneNumber}`);
    for (const place of [1, 2, 3]) expect(response.text).toContain(`phoneNumbers.${place}`);

    const unserved = await beside(route, { rule: '' });
    const second = await create([route.phoneNumber, unserved]);
    expect([second.status, second.text]).toEqual([400, expect.stringContaining(`${unserved} is not served by`)]);
  });
});

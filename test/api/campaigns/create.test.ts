import { describe, expect, test } from 'vitest';
import { aRoute } from '../batch-calls/support.js';
import { anAgent, rowsOf } from '../support-resources.js';
import { anAccount, api } from '../support.js';
import { campaignBody } from './support.js';

const create = (body: object, options = {}) => api.post('/v1/campaigns', body, options);

describe('201', () => {
  test('a campaign is answered as it was sent, and Temporal is asked for its schedule with its commit', async () => {
    const body = await campaignBody();
    const response = await create(body);
    expect(response.status).toBe(201);
    expect(response.body).toMatchObject({ ...body, status: 'active', waiting: 0 });
    const { campaignId } = response.body as { campaignId: string };
    expect(
      await rowsOf('select name, workflow_id from outbox where input ->> $1 = $2', ['campaignId', campaignId]),
    ).toEqual([{ name: 'scheduleCampaign', workflow_id: `${campaignId}/schedule-1` }]);
    expect((await api.get(`/v1/account/audit-log?target=${campaignId}`)).text).toContain('campaign.create');
  });

  test('a template takes every setting of a batch call', async () => {
    const { template } = (await campaignBody()) as { template: object };
    const full = {
      ...template,
      ...{
        name: 'Reminder',
        description: 'x',
        retry: { retryOn: ['missed'], retryDelays: [300] },
        maxConcurrentCalls: 3,
      },
      ...{ callingWindow: { from: '09:00', until: '18:00' }, duplicates: 'skip', defaultCountry: 'US', open: false },
    };
    const response = await create(await campaignBody({ template: full }));
    expect(response.body).toMatchObject({ template: full });
  });

  test('the zone is UTC unless it is sent, and a second try with the same Idempotency-Key makes no second campaign', async () => {
    const body = await campaignBody({ name: 'Only one', timezone: undefined });
    const headers = { 'idempotency-key': 'campaign-1' };
    const [first, again] = [await create(body, { headers }), await create(body, { headers })];
    expect(first.body).toMatchObject({ timezone: 'UTC' });
    expect(again.body).toEqual(first.body);
  });
});

// Temporal would refuse another casing, and the campaign never run.
test('a zone is stored under its own name, whatever the casing in which it is sent', async () => {
  const response = await create(await campaignBody({ timezone: 'america/port-au-prince' }));
  expect(response.body).toMatchObject({ timezone: 'America/Port-au-Prince' });
  const { campaignId } = response.body as { campaignId: string };
  const changed = await api.patch(`/v1/campaigns/${campaignId}`, { timezone: 'asia/CALCUTTA' });
  expect(changed.body).toMatchObject({ timezone: 'Asia/Calcutta' });
});

describe('400', () => {
  test('all that is wrong is told at once, each at its field', async () => {
    const template = { maxConcurrentCalls: 0, schedule: { date: '2027-01-31', time: '09:30' }, colour: 'red' };
    const response = await create({ name: 'x', cron: '61 9 * * *', timezone: 'Mars/Base', template });
    expect(response.status).toBe(400);
    for (const field of ['cron', 'timezone']) expect(response.text).toContain(field);
    for (const field of ['maxConcurrentCalls', 'schedule', 'colour', 'phoneNumber']) {
      expect(response.text).toContain(`template.${field}`);
    }
  });

  test('variants that cannot be used are refused at their place', async () => {
    const { phoneNumber } = await aRoute();
    const variants = [await anAgent(), 'agt_none'].map((agentId) => ({ agentId, weight: 1 }));
    const response = await create(await campaignBody({ template: { phoneNumber, variants } }));
    expect(response.status).toBe(400);
    expect(response.text).toContain('variants[1].agentId');
  });

  test('a number without an active agent is refused as a batch call would be', async () => {
    const { template } = (await campaignBody()) as { template: { phoneNumber: string } };
    await rowsOf(
      `update agents set status = 'inactive', deployment_id = null where id in (
         select r.agent_id from routing_rules r join rule_numbers n on n.rule_id = r.id where n.e164 = $1)`,
      [template.phoneNumber],
    );
    const response = await create({ name: 'x', cron: '0 9 * * *', template });
    expect([response.status, response.text.includes('not active')]).toEqual([400, true]);
  });
});

describe('404', () => {
  test('the number of another account is not found', async () => {
    const { token } = await anAccount();
    expect((await create(await campaignBody(), { token })).status).toBe(404);
  });
});

describe('409', () => {
  test('an account has a hundred campaigns at most', async () => {
    const body = await campaignBody();
    await create(body);
    await rowsOf(
      `insert into campaigns (id, account_id, name, cron, timezone, template)
       select 'camp_' || n, account_id, 'x', '0 9 * * *', 'UTC', '{}' from (select account_id from campaigns limit 1) a, generate_series(1, 100) n`,
    );
    expect((await create(body)).status).toBe(409);
    await rowsOf(`delete from campaigns where name = 'x'`);
  });
});

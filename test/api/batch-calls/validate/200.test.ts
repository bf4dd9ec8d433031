import { expect, test } from 'vitest';
import { api, here } from '../../support.js';
import { aRule, aRegisteredNumber, anAgent, rowsOf } from '../../support-resources.js';
import { aRoute, csv, fields, multipart, stored, type Part } from '../support.js';

async function validated(parts: readonly Part[]) {
  const { body, contentType } = multipart(parts);
  const response = await api.post('/v1/batch-calls/validate', body, { headers: { 'content-type': contentType } });
  expect([response.status, response.text]).toEqual([200, expect.any(String)]);
  return response.body as Record<string, unknown> & {
    rejected: unknown[];
    estimate: { seconds: number; basis: string };
  };
}

const form = async (text: string, change: object = {}) => [
  csv(text),
  ...fields({ name: 'Try', phoneNumber: (await aRoute()).phoneNumber, ...change }),
];

// shows: batches.validate
test('a report says what would come of the file, and nothing is stored', async () => {
  const parts = await form(
    'phone_number,name\n+919877012345,Asha\n+91 98770 12346,Bo\n12,Cy\n,Dé\n+919877012345,Asha\n',
  );
  const before = await stored();

  expect(await validated(parts)).toEqual({
    valid: true,
    parseError: null,
    rows: 5,
    recordsUploaded: 2,
    recordsRejected: 3,
    recordsCorrected: 1,
    corrected: [{ row: 3, value: '+91 98770 12346', phoneNumber: '+919877012346' }],
    columns: ['phone_number', 'name'],
    rejected: [
      { row: 4, value: '12', reason: expect.any(String) as unknown, message: expect.any(String) as unknown },
      { row: 5, value: '', reason: 'missing_number', message: expect.any(String) as unknown },
      { row: 6, value: '+919877012345', reason: 'duplicate', message: expect.any(String) as unknown },
    ],
    unfilledPlaceholders: [],
    startsAt: expect.any(String) as unknown,
    firstCallAt: expect.any(String) as unknown,
    dialingStopped: false,
    heldBack: [],
    judged: 2,
    estimate: {
      seconds: 61,
      basis: expect.stringContaining('2 calls, at most 1 per second and 50 at a time') as unknown,
    },
  });
  expect(await stored()).toEqual(before);
});

test('a file that cannot be used is a report with its parseError', async () => {
  expect(await validated(await form('Phone Number\n+919877012345\n'))).toMatchObject({
    valid: false,
    parseError: expect.stringContaining('rename it to phone_number') as unknown,
    recordsUploaded: 0,
    estimate: { seconds: 0 },
  });
});

// shows: batches.validate.report
test('the first 100 rejected rows are listed, all are counted', async () => {
  const report = await validated(await form(`phone_number\n+919877012345\n${'12\n'.repeat(150)}`));
  expect(report.rejected).toHaveLength(100);
  expect(report).toMatchObject({ recordsRejected: 150, rows: 151 });
});

test('numbers on the do-not-call list are among the rejected', async () => {
  await rowsOf('insert into do_not_call (account_id, e164) values ($1, $2)', [here().me.account.id, '+919877012399']);
  const report = await validated(await form('phone_number\n+919877012399\n+919877012398\n'));
  expect(report.rejected).toEqual([expect.objectContaining({ row: 2, reason: 'do_not_call' })]);
});

// shows: batches.validate.report
test('placeholders that neither a column nor agentMetadata fills are named with their place', async () => {
  const number = await aRegisteredNumber({ phoneNumbers: ['+14155550177'] });
  const agentId = await anAgent();
  const config = {
    name: 'A',
    languages: { english: { prompt: 'Hi {{name}} of {{firm}}, {{doctor}} says {{phone_number}}.' } },
  };
  await rowsOf('alter table agent_versions disable trigger agent_versions_are_immutable');
  await rowsOf('update agent_versions set config = $2 where agent_id = $1', [agentId, JSON.stringify(config)]);
  await rowsOf('alter table agent_versions enable trigger agent_versions_are_immutable');
  await aRule({ phoneNumbers: [number.e164], agentId, agentMetadata: { firm: 'Acme' } });

  const report = await validated([
    csv('phone_number,name\n+919877012345,Asha\n'),
    ...fields({ name: 'Try', phoneNumber: number.e164 }),
  ]);

  expect(report.unfilledPlaceholders).toEqual([
    { path: 'languages.english.prompt', placeholder: 'doctor' },
    { path: 'languages.english.prompt', placeholder: 'phone_number' },
  ]);
});

// shows: batches.validate.report
test('the estimate goes by the limits, and by how long the agent’s calls took', async () => {
  const route = await aRoute();
  await rowsOf('update gateways set calls_per_second = 10 where id = $1', [route.gatewayId]);
  const file = csv(
    `phone_number\n${Array.from({ length: 101 }, (_unused, n) => `+9198771${String(n).padStart(5, '0')}`).join('\n')}`,
  );
  const parts = (change: object) => [file, ...fields({ name: 'Try', phoneNumber: route.phoneNumber, ...change })];

  // 101 calls of 60 s: 50 at a time, or 10 at a time.
  expect((await validated(parts({}))).estimate.seconds).toBe(180);
  expect((await validated(parts({ maxConcurrentCalls: 10 }))).estimate.seconds).toBe(660);
});

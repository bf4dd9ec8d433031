import { describe, expect, test } from 'vitest';
import { rowsOf } from '../support-resources.js';
import { api } from '../support.js';
import { aBatchOf } from './support-records.js';
import { aRoute, csv, fields, multipart, send } from './support.js';

const retry = { retryOn: ['unsuccessful'], retryDelays: [60] };
const words = /retry\.retryOn.*does not say what success is/;

/** What calls and is called, with an agent whose live version says this of analyses. */
async function aRouteOf(analysis: object) {
  const route = await aRoute();
  await rowsOf(
    `with version as (
       insert into agent_versions (id, account_id, agent_id, number, name, config, analyzes)
       select 'ver_' || a.id, a.account_id, a.id, 900, 'Live', $2::json, true from routing_rules r join agents a on a.id = r.agent_id
       where r.id = $1 returning *),
     deployment as (
       insert into deployments (id, account_id, agent_id, version_id, region, status)
       select 'dep_' || agent_id, account_id, agent_id, id, 'default', 'live' from version returning *)
     update agents a set deployment_id = d.id from deployment d where a.id = d.agent_id`,
    [route.ruleId, JSON.stringify({ languages: { english: { prompt: 'Hi' } }, analysis })],
  );
  return route;
}

describe('400', () => {
  test.each([
    ['has no analysis', null],
    ['names no success in its analysis', {}],
  ])('create, validate and update refuse unsuccessful if the agent %s', async (_what, analysis) => {
    const { phoneNumber } = analysis === null ? await aRoute() : await aRouteOf(analysis);
    const parts = [csv(), ...fields({ name: 'A', phoneNumber, retry: JSON.stringify(retry) })];
    const created = await send(parts);
    expect([created.status, created.text]).toEqual([400, expect.stringMatching(words)]);
    const { body, contentType } = multipart(parts);
    const headers = { 'content-type': contentType };
    const tried = await api.post('/v1/batch-calls/validate', body, { headers });
    expect([tried.status, tried.text]).toEqual([400, expect.stringMatching(words)]);
    const { batchId } = await aBatchOf([{ phoneNumber: '+919877000001', status: 'pending' }], { status: 'running' });
    const changed = await api.patch(`/v1/batch-calls/${batchId}`, { retry });
    expect([changed.status, changed.text]).toEqual([400, expect.stringMatching(words)]);
    const stopAfter = { success: 5 };
    const stopped = await send([csv(), ...fields({ name: 'A', phoneNumber, stopAfter: JSON.stringify(stopAfter) })]);
    expect([stopped.status, stopped.text]).toEqual([400, expect.stringMatching(/stopAfter\.success.*what success is/)]);
    const stops = await api.patch(`/v1/batch-calls/${batchId}`, { stopAfter });
    expect([stops.status, stops.text]).toEqual([400, expect.stringMatching(/stopAfter\.success.*what success is/)]);
  });
});

describe('201', () => {
  test('a batch call whose agent names a success takes unsuccessful', async () => {
    const { phoneNumber } = await aRouteOf({ enabled: true, success: 'kept' });
    const created = await send([csv(), ...fields({ name: 'A', phoneNumber, retry: JSON.stringify(retry) })]);
    expect(created.status).toBe(201);
    expect(created.body).toMatchObject({ retry: { enabled: true, ...retry } });
  });

  // shows: retry.unsuccessful
  test('a finished one is retried for those who were answered without success, and nobody else', async () => {
    const { batchId, callIds } = await aBatchOf([
      { phoneNumber: '+919877000001' },
      { phoneNumber: '+919877000002' },
      { phoneNumber: '+919877000003' },
    ]);
    const again = () => api.post(`/v1/batch-calls/${batchId}/retry`, { statuses: ['unsuccessful'] });
    await rowsOf('update calls set success = true where id = $1', [callIds[0]]);
    expect((await again()).status).toBe(400);
    await rowsOf('update calls set success = false where id = $1', [callIds[1]]);
    expect((await again()).status).toBe(201);
  });
});

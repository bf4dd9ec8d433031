import { afterAll, beforeAll, expect, test } from 'vitest';
import { batchIs, csv, runService, setUp, until, type RunningService } from '../e2e/running-service.js';
import { modelThatWaits, type ModelThatWaits } from './model-that-waits.js';

let model: ModelThatWaits;
let service: RunningService;
let phoneNumber: string;
const callee = '+15555500010';

beforeAll(async () => {
  model = await modelThatWaits();
  service = await runService({ speed: 20, env: { OUTDIAL_CUSTOM_LLM_URL: model.url } });
  const made = await setUp(service);
  const { agentId } = made;
  phoneNumber = made.phoneNumber;
  const schema = { type: 'object', properties: { kept: { type: 'boolean' } }, required: ['kept'] };
  const analysis = { enabled: true, model: { model: 'custom/local' }, schema, success: 'kept' };
  const languages = { english: { prompt: 'Remind them of their appointment.' } };
  const changed = await service.request('PUT', `/v1/agents/${agentId}`, { name: 'Reminder', languages, analysis });
  expect([changed.status, changed.body]).toEqual([200, expect.anything()]);
  const { body } = await service.request('POST', `/v1/agents/${agentId}/deploy`, {});
  const deployment = `/v1/agents/${agentId}/deployments/${String(body.deploymentId)}`;
  await until(async () => (await service.request('GET', deployment)).body.status === 'live');
});
afterAll(async () => {
  await service.stop();
  service.removeData();
  await model.close();
});

// shows: retry.unsuccessful
test('kill -9 of the worker after the model has answered: it is asked once more, and the callee is called again once', async () => {
  const created = await service.createBatch(
    { name: 'people.csv', content: csv([callee]) },
    { name: 'Analyses', phoneNumber, retry: { retryOn: ['unsuccessful'], retryDelays: [1, 1] } },
  );
  expect([created.status, created.body]).toEqual([201, expect.anything()]);
  // The model has been asked, and its answer is on the way to a worker that is killed.
  await until(() => model.asked() === 1);
  const before = service.ready().pids.worker;
  service.signal('worker', 'SIGSTOP');
  model.answer({ kept: false });
  service.signal('worker', 'SIGKILL');
  await until(() => service.ready().pids.worker !== before);
  await until(() => model.asked() === 2);
  expect((await service.request('GET', `/v1/batch-calls/${String(created.body.batchId)}`)).body.status).toBe('running');
  model.answer({ kept: false });
  await until(() => model.asked() === 3);
  model.answer({ kept: true });

  const { batchId } = await batchIs(service, created.body.batchId, 'completed');
  const invites = service.ledger().filter(({ event, to }) => event === 'invite' && to === callee);
  expect(invites.map(({ attempt }) => attempt)).toEqual([1, 2]);
  const { body } = await service.request('GET', `/v1/batch-calls/${String(batchId)}/records`);
  expect(body).toMatchObject({ data: [{ status: 'answered', analysis: { kept: true }, success: true }] });
});

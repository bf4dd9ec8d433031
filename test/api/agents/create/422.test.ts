import { expect, test } from 'vitest';
import { api } from '../../support.js';
import { appWithoutTemporal, appWithWorker, minimal } from '../support.js';

test('an Idempotency-Key that was used with another config is refused', async () => {
  const app = await appWithoutTemporal();
  const headers = { 'idempotency-key': 'one' };
  await api.post('/v1/agents', minimal, { app, headers });

  const response = await api.post('/v1/agents', { ...minimal, name: 'Another' }, { app, headers });

  expect(response).toMatchObject({ status: 422, body: { error: expect.any(String) } });
});

// shows: idempotency.every-create
test('the same config with the same key gets the first answer again, as it was after the deploy', async () => {
  const app = await appWithWorker();
  const headers = { 'idempotency-key': 'two' };

  const first = await api.post('/v1/agents', minimal, { app, headers });
  const again = await api.post('/v1/agents', minimal, { app, headers });

  expect(first).toMatchObject({ status: 201, body: { status: 'active' } });
  expect(again).toMatchObject({ status: 201, body: first.body as object, headers: { 'idempotent-replayed': 'true' } });
});

import { expect, test } from 'vitest';
import { api } from '../../support.js';

test('an agent that is not there cannot be undeployed', async () => {
  const response = await api.post('/v1/agents/agt_01990000-0000-7000-8000-000000000000/undeploy');
  expect(response).toMatchObject({ status: 404, body: { error: 'Agent not found' } });
});

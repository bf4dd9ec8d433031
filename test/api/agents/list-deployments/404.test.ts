import { expect, test } from 'vitest';
import { api } from '../../support.js';

test('an agent that is not there has no deployments', async () => {
  const response = await api.get('/v1/agents/agt_01990000-0000-7000-8000-000000000000/deployments');
  expect(response).toMatchObject({ status: 404, body: { error: 'Agent not found' } });
});

import { expect, test } from 'vitest';
import { api } from '../../support.js';
import { aCallThatIs } from '../support.js';

// shows: calls.recording
test('a call that goes on cannot have a recording yet', async () => {
  const { id } = await aCallThatIs('answered');
  const response = await api.get(`/v2/sip/call/${id}/recording`);
  expect(response.status).toBe(409);
  expect(response.body).toEqual({ message: expect.stringContaining('not over') });
});

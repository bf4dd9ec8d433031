import { expect, test } from 'vitest';
import { api } from '../../support.js';
import { aCallThatIs } from '../support.js';

// shows: calls.end.409
test('a call that is over cannot be ended', async () => {
  const { id } = await aCallThatIs('ended');
  const response = await api.post('/v2/sip/call/end', { callId: id });
  expect(response.status).toBe(409);
  expect(response.body).toEqual({ message: 'The call is over' });
});

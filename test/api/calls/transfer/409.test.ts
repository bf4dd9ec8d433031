import { expect, test } from 'vitest';
import { api } from '../../support.js';
import { aCallThatIs } from '../support.js';

const transfer = (callId: string) => api.post('/v2/sip/call/transfer', { callId, transferTo: '+912250000009' });

// shows: calls.transfer.409
test.each([
  ['queued', 'Only an answered call can be transferred'],
  ['ringing', 'Only an answered call can be transferred'],
  ['ended', 'The call is over'],
] as const)('a call that is %s cannot be transferred', async (phase, message) => {
  const response = await transfer((await aCallThatIs(phase)).id);
  expect(response.status).toBe(409);
  expect(response.body).toEqual({ message });
});

test('a call that is being hung up cannot be transferred', async () => {
  const { id } = await aCallThatIs('answered');
  await api.post('/v2/sip/call/end', { callId: id });
  expect(await transfer(id)).toMatchObject({ status: 409, body: { message: 'The call is being hung up' } });
});

// shows: calls.transfer.409
test('of two transfers at once, one is made', async () => {
  const { id } = await aCallThatIs('answered');
  const answers = await Promise.all([transfer(id), transfer(id)]);
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409]);
});

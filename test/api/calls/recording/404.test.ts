import { expect, test } from 'vitest';
import { anAccount, api } from '../../support.js';
import { aCallThatIs, aRecordingOf } from '../support.js';

// shows: calls.recording
test('a call that is over has no recording, and says so', async () => {
  const { id } = await aCallThatIs('ended');
  const response = await api.get(`/v2/sip/call/${id}/recording`);
  expect(response.status).toBe(404);
  expect(response.body).toEqual({ message: 'No recording is stored for this call' });
});

test('another account’s call is not found', async () => {
  const { id } = await aCallThatIs('ended');
  const { token } = await anAccount();
  const response = await api.get(`/v2/sip/call/${id}/recording`, { token });
  expect(response).toMatchObject({ status: 404, body: { message: 'Call not found' } });
});

test('another account’s recording is not found either', async () => {
  const call = await aCallThatIs('ended');
  await aRecordingOf(call, ['sound']);
  const { token } = await anAccount();
  const response = await api.get(`/v2/sip/call/${call.id}/recording`, { token });
  expect(response).toMatchObject({ status: 404, body: { message: 'Call not found' } });
});

import { expect, test } from 'vitest';
import { api } from '../../support.js';
import { aCallThatIs, aRecordingOf } from '../support.js';

// shows: calls.recording
test.each([
  ['bytes=0-', 'abcdefghij', '0-9'],
  ['bytes=2-2', 'c', '2-2'],
  ['bytes=1-4', 'bcde', '1-4'],
  ['bytes=3-5', 'def', '3-5'],
  ['bytes=7-99', 'hij', '7-9'],
  ['bytes=-4', 'ghij', '6-9'],
  ['bytes=-99', 'abcdefghij', '0-9'],
])('a player that asks for %s gets those bytes, across pages', async (range, text, named) => {
  const call = await aCallThatIs('ended');
  await aRecordingOf(call, ['abc', 'def', 'ghij']);
  const response = await api.get(`/v2/sip/call/${call.id}/recording`, { headers: { range } });
  expect(response).toMatchObject({
    ...{ status: 206, text },
    headers: { 'content-range': `bytes ${named}/10`, 'content-length': String(text.length) },
  });
});

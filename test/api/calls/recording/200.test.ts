import { expect, test } from 'vitest';
import { api } from '../../support.js';
import { aCallThatIs, aRecordingOf } from '../support.js';

// shows: calls.recording
test('the recording of a call that is over comes whole and in order, as Ogg, with its length', async () => {
  const call = await aCallThatIs('ended');
  const pages = Array.from({ length: 300 }, (_, index) => `page ${index};`);
  const bytes = await aRecordingOf(call, pages);
  const response = await api.get(`/v2/sip/call/${call.id}/recording`);
  expect(response.status).toBe(200);
  expect(response.text).toBe(bytes);
  expect(response.headers).toMatchObject({
    'content-type': 'audio/ogg; codecs=opus',
    'content-length': String(bytes.length),
    'content-disposition': `inline; filename="${call.id}.ogg"`,
    'accept-ranges': 'bytes',
    'cache-control': 'private, no-store',
  });
});

test.each(['bytes=5-2', 'bytes=900-', 'bytes=-', 'bytes=-0', 'bytes=0-1,3-4', 'lines=1-2'])(
  'a range that there is not, or that is none (%s), gets the whole',
  async (range) => {
    const call = await aCallThatIs('ended');
    const bytes = await aRecordingOf(call, ['one', 'two']);
    const response = await api.get(`/v2/sip/call/${call.id}/recording`, { headers: { range } });
    expect(response).toMatchObject({ status: 200, text: bytes });
  },
);

import { describe, expect, test } from 'vitest';
import { anAccount, api } from '../support.js';
import { aCallThatIs, aRecordingOf } from './support.js';

describe('200', () => {
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
});

describe('206', () => {
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
});

describe('404', () => {
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
});

describe('409', () => {
  // shows: calls.recording
  test('a call that goes on cannot have a recording yet', async () => {
    const { id } = await aCallThatIs('answered');
    const response = await api.get(`/v2/sip/call/${id}/recording`);
    expect(response.status).toBe(409);
    expect(response.body).toEqual({ message: expect.stringContaining('not over') });
  });
});

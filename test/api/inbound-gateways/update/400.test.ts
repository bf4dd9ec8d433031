import { expect, test } from 'vitest';
import { api } from '../../support.js';
import { aGateway } from '../../support-resources.js';

const errorsOf = async (id: string, body: unknown): Promise<string[]> => {
  const response = await api.patch(`/v2/sip/inbound-gateways/${id}`, body);
  expect(response.status).toBe(400);
  expect(response.body).toEqual({ message: expect.any(String), errors: expect.any(Array) });
  return (response.body as { errors: string[] }).errors;
};

test('every problem is named at once, and nothing is changed', async () => {
  const gateway = await aGateway('inbound');
  expect(await errorsOf(gateway.id, { name: null, numbers: ['x'], record: true, sipRegion: 'mars', color: 1 })).toEqual(
    [
      expect.stringMatching('^color: is not a known field'),
      expect.stringMatching('^name: must be a string'),
      expect.stringMatching('^numbers.0.: '),
      expect.stringMatching('^record: cannot be honoured'),
      expect.stringMatching('^sipRegion: must be one of: auto, default'),
    ],
  );
  expect((await api.get(`/v2/sip/inbound-gateways/${gateway.id}`)).body).toEqual(gateway);
});

test('id and times cannot be changed', async () => {
  const { id } = await aGateway('inbound');
  expect(await errorsOf(id, { id: 'other', createdAt: null })).toEqual([expect.stringMatching('^createdAt: ')]);
  expect(await errorsOf(id, { id: 'other' })).toEqual(['id: cannot be changed']);
});

test('what belongs to calls that are made is refused', async () => {
  const { id } = await aGateway('inbound');
  expect(await errorsOf(id, { maxConcurrentCalls: 5, headers: { 'X-A': 'b' } })).toEqual([
    'headers: is for outbound gateways only',
    'maxConcurrentCalls: is for outbound gateways only',
  ]);
});

import { expect, test } from 'vitest';
import { api } from '../../support.js';
import { aGateway } from '../../support-resources.js';

const errorsOf = async (id: string, body: unknown): Promise<string[]> => {
  const response = await api.patch(`/v2/sip/outbound-gateways/${id}`, body);
  expect(response.status).toBe(400);
  expect(response.body).toEqual({ message: expect.any(String), errors: expect.any(Array) });
  return (response.body as { errors: string[] }).errors;
};

test('every problem is named at once, and nothing is changed', async () => {
  const gateway = await aGateway('outbound');
  expect(await errorsOf(gateway.id, { name: null, numbers: ['x'], record: true, sipRegion: 'mars', color: 1 })).toEqual(
    [
      expect.stringMatching('^color: is not a known field'),
      expect.stringMatching('^name: must be a string'),
      expect.stringMatching('^numbers.0.: '),
      expect.stringMatching('^record: cannot be honoured'),
      expect.stringMatching('^sipRegion: must be one of: auto, default'),
    ],
  );
  expect((await api.get(`/v2/sip/outbound-gateways/${gateway.id}`)).body).toEqual(gateway);
});

test('id and times cannot be changed', async () => {
  const { id } = await aGateway('outbound');
  expect(await errorsOf(id, { id: 'other', createdAt: null })).toEqual([expect.stringMatching('^createdAt: ')]);
  expect(await errorsOf(id, { id: 'other' })).toEqual(['id: cannot be changed']);
});

test('the address of a trunk cannot be cleared, nor be a private one', async () => {
  const { id } = await aGateway('outbound');
  expect(await errorsOf(id, { address: null })).toEqual(['address: is required for an outbound gateway']);
  expect(await errorsOf(id, { address: '192.168.0.1' })).toEqual([expect.stringMatching('^address: must not be')]);
});

import { describe, expect, test } from 'vitest';
import { aGateway } from '../support-resources.js';
import { api } from '../support.js';
import { type Direction, directions, findsNoneOf, pathOf } from './support.js';

describe('400', () => {
  const errorsOf = async (direction: Direction, id: string, body: unknown): Promise<string[]> => {
    const response = await api.patch(pathOf(direction, id), body);
    expect(response.status).toBe(400);
    expect(response.body).toEqual({ message: expect.any(String), errors: expect.any(Array) });
    return (response.body as { errors: string[] }).errors;
  };

  describe.each(directions)('%s', (direction) => {
    test('every problem is named at once, and nothing is changed', async () => {
      const gateway = await aGateway(direction);
      const body = { name: null, numbers: ['x'], record: 'yes', sipRegion: 'mars', color: 1 };
      expect(await errorsOf(direction, gateway.id, body)).toEqual([
        expect.stringMatching('^color: is not a known field'),
        expect.stringMatching('^name: must be a string'),
        expect.stringMatching('^numbers.0.: '),
        expect.stringMatching('^record: '),
        expect.stringMatching('^sipRegion: must be one of: auto, default'),
      ]);
      expect((await api.get(pathOf(direction, gateway.id))).body).toEqual(gateway);
    });

    test('id and times cannot be changed', async () => {
      const { id } = await aGateway(direction);
      const problems = await errorsOf(direction, id, { id: 'other', createdAt: null });
      expect(problems).toEqual([expect.stringMatching('^createdAt: ')]);
      expect(await errorsOf(direction, id, { id: 'other' })).toEqual(['id: cannot be changed']);
    });
  });

  test('what belongs to calls that are made is refused for an inbound gateway', async () => {
    const { id } = await aGateway('inbound');
    expect(await errorsOf('inbound', id, { maxConcurrentCalls: 5, reservedCalls: 1, headers: { 'X-A': 'b' } })).toEqual(
      [
        'headers: is for outbound gateways only',
        'maxConcurrentCalls: is for outbound gateways only',
        'reservedCalls: is for outbound gateways only',
      ],
    );
  });

  test('a gateway leaves batch calls a line, whether more lines are reserved or there are fewer of them', async () => {
    const { id } = await aGateway('outbound', { maxConcurrentCalls: 60, reservedCalls: 55 });
    expect(await errorsOf('outbound', id, { reservedCalls: 60 })).toEqual([
      'reservedCalls: must be less than maxConcurrentCalls, which is 60: batch calls need a line',
    ]);
    const fewer = 'maxConcurrentCalls: must be more than reservedCalls, which is 55: batch calls need a line';
    expect(await errorsOf('outbound', id, { maxConcurrentCalls: 55 })).toEqual([fewer]);
    // Its default is 50.
    expect(await errorsOf('outbound', id, { maxConcurrentCalls: null, address: null })).toEqual([
      'address: is required for an outbound gateway',
      fewer,
    ]);
    expect(await errorsOf('outbound', id, { reservedCalls: -1 })).toEqual([expect.stringMatching('^reservedCalls: ')]);
  });

  test('the address of a trunk cannot be cleared, nor be a private one', async () => {
    const { id } = await aGateway('outbound');
    const required = ['address: is required for an outbound gateway'];
    expect(await errorsOf('outbound', id, { address: null })).toEqual(required);
    const problems = await errorsOf('outbound', id, { address: '192.168.0.1' });
    expect(problems).toEqual([expect.stringMatching('^address: must not be')]);
  });
});

describe('404', () => {
  test.each(directions)(
    'an unknown %s gateway, one of another account and one of the other direction get the same answer, and stay',
    (direction) => findsNoneOf(direction, (path) => api.patch(path, { name: 'Mine' })),
  );
});

import { describe, expect, test } from 'vitest';
import { rowsOf } from '../support-resources.js';
import { api } from '../support.js';
import { type Direction, directions, pathOf } from './support.js';

describe('422', () => {
  const create = (direction: Direction, name: string) =>
    api.post(
      pathOf(direction),
      { name, address: 'sip.carrier.example' },
      { headers: { 'idempotency-key': `once-${direction}` } },
    );

  test.each(directions)('a key that was used with another %s gateway is refused, and makes none', async (direction) => {
    await create(direction, `First ${direction}`);
    const response = await create(direction, `Second ${direction}`);
    expect(response.status).toBe(422);
    expect(response.body).toEqual({ message: expect.stringContaining('another request') });
    expect(await rowsOf('select name from gateways where direction = $1', [direction])).toEqual([
      { name: `First ${direction}` },
    ]);
  });
});

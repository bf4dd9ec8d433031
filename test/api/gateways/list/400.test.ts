import { describe, expect, test } from 'vitest';
import { api } from '../../support.js';
import { directions, pathOf } from '../support.js';

describe.each(directions)('%s', (direction) => {
  test.each(['page=0', 'page=x', 'perPage=0', 'perPage=101', 'search=%00'])(
    '?%s is out of range and is not clamped',
    async (query) => {
      const response = await api.get(`${pathOf(direction)}?${query}`);
      expect(response.status).toBe(400);
      expect(response.body).toEqual({
        message: expect.any(String),
        errors: [expect.stringMatching(`^${query.split('=')[0]!}: must`)],
      });
    },
  );
});

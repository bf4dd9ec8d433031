import { describe, expect, test } from 'vitest';
import { anAccount, api } from '../support.js';

describe('200', () => {
  test('an account that has set no prices is told none', async () => {
    const { token } = await anAccount('No prices');
    const answer = await api.get('/v1/account/prices', { token });
    expect([answer.status, answer.body]).toEqual([200, { calls: [] }]);
  });
});

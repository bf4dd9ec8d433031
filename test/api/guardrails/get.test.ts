import { describe, expect, test } from 'vitest';
import { anAccount, api } from '../support.js';

describe('200', () => {
  test('GET tells one account nothing of what another has set', async () => {
    await api.put('/v1/account/guardrails', { disclosure: 'Mine' });
    const { token } = await anAccount();
    const response = await api.get('/v1/account/guardrails', { token });
    expect(response.status).toBe(200);
    expect(response.text).not.toContain('Mine');
  });
});

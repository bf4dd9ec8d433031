import { expect, test } from 'vitest';
import { api } from '../../support.js';

test.each(['application/json', 'text/csv', 'application/x-www-form-urlencoded'])(
  '%s is not how a batch call is created',
  async (contentType) => {
    const response = await api.post('/v1/batch-calls', '{}', { headers: { 'content-type': contentType } });
    expect({ status: response.status, body: response.body }).toEqual({
      status: 415,
      body: { error: expect.any(String) },
    });
  },
);

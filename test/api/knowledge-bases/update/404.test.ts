import { expect, test } from 'vitest';
import { api } from '../../support.js';

test.each(['kb_01939a84-2c6d-7e10-8f3b-1a2b3c4d5e6f', 'nonsense'])(
  '%s is no knowledge base of this account',
  async (id) => {
    const url = `/v1/knowledge-bases/${id}`;
    const response = await api.patch(url, {});
    expect({ status: response.status, body: response.body }).toEqual({
      status: 404,
      body: { error: 'Knowledge base not found' },
    });
  },
);

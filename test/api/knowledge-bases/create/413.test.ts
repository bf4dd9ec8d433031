import { expect, test } from 'vitest';
import { api } from '../../support.js';
import { file, sendForm } from '../support.js';

// shows: knowledge.10mb
test('a file of 10,485,761 bytes is refused', async () => {
  const response = await sendForm([file(Buffer.alloc(10_485_761, 'a'))]);
  expect({ status: response.status, body: response.body }).toEqual({
    status: 413,
    body: { error: 'file: is larger than 10 MB (10485760 bytes)' },
  });
});

test('JSON of over 1 MB is refused', async () => {
  const response = await api.post('/v1/knowledge-bases', { name: 'A', text: 'a'.repeat(1_048_576) });
  expect({ status: response.status, body: response.body }).toEqual({
    status: 413,
    body: { error: expect.any(String) },
  });
});

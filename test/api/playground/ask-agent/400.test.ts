import { expect, test } from 'vitest';
import { anAgent } from '../../support-resources.js';
import { write } from '../support.js';

const line = { speaker: 'callee', text: 'Hi' };

test.each([
  ['no conversation', {}],
  ['a conversation that ends with the agent', { messages: [line, { speaker: 'agent', text: 'Hello' }] }],
  ['words of nobody’s', { messages: [{ speaker: 'system', text: 'Obey.' }] }],
  ['a line that is too long', { messages: [{ speaker: 'callee', text: 'x'.repeat(4_001) }] }],
  ['a conversation that is too long', { messages: Array.from({ length: 101 }, () => line) }],
])('%s is refused', async (_name, body) => {
  expect((await write(await anAgent(), body)).status).toBe(400);
});

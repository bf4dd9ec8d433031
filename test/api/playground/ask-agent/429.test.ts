import { expect, test } from 'vitest';
import { anAgent } from '../../support-resources.js';
import { write } from '../support.js';

test('an account asks models 30 times a minute at most', async () => {
  const agentId = await anAgent();
  const answers = [];
  for (let request = 0; request < 31; request += 1) answers.push(await write(agentId, { messages: [] }));

  expect(answers.map(({ status }) => status)).toEqual([...Array.from({ length: 30 }, () => 200), 429]);
  expect(answers[30]?.body).toEqual({ error: expect.any(String) });
});

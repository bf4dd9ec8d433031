import { expect, test } from 'vitest';
import { anAgent } from '../../support-resources.js';
import { startSession } from '../support.js';

test.each([
  [{ metadata: { row: 1 } }],
  [{ metadata: { row: 'x'.repeat(1_001) } }],
  [{ metadata: Object.fromEntries(Array.from({ length: 9 }, (_, i) => [`c${i}`, 'x'.repeat(900)])) }],
  [{ versionId: 'ver_1' }],
])('%.60j is refused: it would not fit into the address of a room, or is not known', async (body) => {
  expect((await startSession(await anAgent(), body)).status).toBe(400);
});

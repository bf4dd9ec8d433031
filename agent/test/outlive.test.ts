import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';

const url = (path: string) => new URL(path, import.meta.url).href;

// What a plug-in does whose connection breaks while nothing listens to it.
const program = `
  import { EventEmitter } from 'node:events';
  import { outliveErrors } from '${url('../conversation/outlive.ts')}';
  import { createLogger } from '${url('../../platform/logger.ts')}';
  outliveErrors(createLogger('agent', 'info'));
  setImmediate(() => new EventEmitter().emit('error', new Error('the connection of a plug-in broke')));
  setImmediate(() => setImmediate(() => process.exit(7)));
`;

test('an error that nothing catches is logged, and the conversation goes on', () => {
  const args = ['--import', url('../../test/setup/run-sources.mjs'), '--input-type=module', '--eval', program];
  const { status, stdout } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  expect(stdout).toMatch(/"level":"error".*the connection of a plug-in broke.*nothing caught an error/);
  expect(status).toBe(7);
});

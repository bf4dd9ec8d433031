import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { expect, test } from 'vitest';

const sources = new URL('../../setup/run-sources.mjs', import.meta.url).href;
const role = new URL('../../../cli/roles/role.js', import.meta.url).href;
const logger = new URL('../../../platform/logger.js', import.meta.url).href;

interface Line {
  readonly level: string;
  readonly msg: string;
  readonly [field: string]: unknown;
}

/**
 * Runs a role whose database closes at once and whose server closes as `server` says, and stops it when it is ready.
 *
 * @param again sends a second signal when the first has been heard
 * @returns how it ended, and what it logged after it was ready
 */
async function stopRole({
  server,
  graceMs = 60_000,
  again = false,
}: {
  server: string;
  graceMs?: number;
  again?: boolean;
}) {
  const program = `
    const { closeOnSignal } = await import(${JSON.stringify(role)});
    const { createLogger } = await import(${JSON.stringify(logger)});
    const { pino } = await import('pino');
    // Each line at once: at the end of a process, lines that wait may come before one that is being written.
    const logger = createLogger('api', 'info', pino.destination({ dest: 1, sync: true }));
    const hangs = () => new Promise(() => undefined);
    closeOnSignal(logger, ${graceMs}, { database: async () => undefined, server: ${server} });
    setInterval(() => undefined, 60_000);
    logger.info('ready');`;
  const child = spawn(process.execPath, ['--import', sources, '--input-type=module', '--eval', program], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exited = new Promise<number | null>((resolve) => child.once('exit', resolve));
  const lines: Line[] = [];
  for await (const text of createInterface({ input: child.stdout })) {
    const line = JSON.parse(text) as Line;
    if (line.msg === 'ready' || (again && line.msg === 'stopping')) child.kill('SIGTERM');
    if (line.msg !== 'ready') lines.push(line);
  }
  return { code: await exited, lines };
}

test('a role that is stopped closes its parts, the last one first, and ends with 0', async () => {
  const { code, lines } = await stopRole({ server: `async () => { logger.info('closes'); }` });
  expect(code).toBe(0);
  expect(lines.map(({ msg }) => msg)).toEqual(['stopping', 'closes', 'stopped']);
});

test('a part that cannot be closed is named, and the others are closed', async () => {
  const { code, lines } = await stopRole({ server: `async () => { throw new Error('it is stuck'); }` });
  expect(code).toBe(0);
  expect(lines[1]).toMatchObject({ level: 'error', part: 'server', msg: 'a part of the process could not be closed' });
  expect(lines.at(-1)?.msg).toBe('stopped');
});

test.each([
  [
    'does not come to its end',
    { server: 'hangs', graceMs: 50 },
    'error',
    'not stopped within 0.05 s: the process ends now',
  ],
  ['is signalled again', { server: 'hangs', again: true }, 'warn', 'a second signal: the process ends now'],
  [
    'fails elsewhere meanwhile',
    { server: `() => { void Promise.reject(new Error('lost')); return hangs(); }` },
    'fatal',
    'another uncaught error while stopping: the process ends now',
  ],
])('a role that stops and %s ends with 1, and says why and what was open still', async (_what, stop, level, msg) => {
  const { code, lines } = await stopRole(stop);
  expect(code).toBe(1);
  expect(lines.at(-1)).toMatchObject({ level, msg, stillOpen: ['database', 'server'] });
});

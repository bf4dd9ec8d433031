import { afterEach, expect, test } from 'vitest';
import { type Child, startChild } from '../../../embedded/child.js';
import { temporaryFolder } from '../../../embedded/temporary-folder.js';
import { createJournal } from '../../soak/journal.js';
import { type Program, runProgram } from '../../soak/program.js';

const logFile = `${temporaryFolder('soak-program')}/log`;
const sleeper = async (script = 'setInterval(() => 0, 1000)'): Promise<Child> =>
  startChild({ command: process.execPath, args: ['-e', script], logFile });

let program: Program | undefined;
afterEach(async () => program?.stop());

test('a process that ends while it is being started is started by one starter alone', async () => {
  const journal = createJournal();
  const children: Child[] = [];
  let [starting, mostAtOnce] = [0, 0];
  program = await runProgram({
    ...{ name: 'server', kind: 'postgres', journal },
    async start(spawned) {
      mostAtOnce = Math.max(mostAtOnce, ++starting);
      // As PostgreSQL's start does: a server that gives up, because an earlier one has not gone, is followed by another.
      for (const script of children.length === 0 ? [undefined] : ['process.exit(1)', undefined]) {
        const child = await sleeper(script);
        children.push(child);
        spawned(child);
        if (script !== undefined) await child.exited;
      }
      // Longer than the pause after which an exit is answered with a start.
      await new Promise((resolve) => setTimeout(resolve, children.length === 1 ? 0 : 1_200));
      starting--;
    },
  });
  program.kill(0);
  await expect.poll(() => journal.entries.map(({ text }) => text)).toContain('server runs again');
  expect(mostAtOnce).toBe(1);
  expect(children.map((child) => child.isOver())).toEqual([true, true, false]);
});

test('a process that does not start is started again until it does', async () => {
  const journal = createJournal();
  let starts = 0;
  program = await runProgram({
    ...{ name: 'server', kind: 'temporal', journal },
    async start(spawned) {
      const child = await sleeper(++starts === 2 || starts === 3 ? 'process.exit(1)' : undefined);
      spawned(child);
      if (starts === 2) {
        await child.exited;
        throw new Error('its port is taken');
      }
    },
  });
  program.kill(0);
  await expect.poll(() => [starts, program?.state]).toEqual([4, 'running']);
  expect(journal.entries.map(({ text }) => text)).toContain('server does not start: its port is taken');
});

test('opening the environment fails if a process never starts', async () => {
  const opening = runProgram({
    ...{ name: 'server', kind: 'temporal', journal: createJournal() },
    start: async () => Promise.reject(new Error('its port is taken')),
  });
  await expect(opening).rejects.toThrow('server does not start');
});

import { type ChildProcess, spawn } from 'node:child_process';
import { afterEach, expect, test } from 'vitest';
import { identify, isRunning, type ProcessIdentity } from '../../../embedded/process-identity.js';
import { guard } from '../../soak/guard.js';
import { descendantsOf } from '../../soak/process-table.js';

const started: ChildProcess[] = [];
const families: ProcessIdentity[] = [];
afterEach(() => {
  for (const child of started.splice(0)) child.kill('SIGKILL');
  for (const { pid } of families.splice(0).filter(isRunning)) process.kill(pid, 'SIGKILL');
});

function start(command: string, ...args: string[]): ProcessIdentity {
  const child = spawn(command, args, { stdio: 'ignore' });
  started.push(child);
  return identify(child.pid!);
}

/** A process with a frozen child, and another in a session of its own: what a soak leaves behind. */
async function aFamily(): Promise<{ soak: ProcessIdentity; family: readonly ProcessIdentity[] }> {
  // The child of the second ignores what asks it to end.
  const soak = start(
    'bash',
    '-c',
    "sleep 1000 & setsid bash -c 'trap \"\" TERM; sleep 1000' & trap '' TERM; wait; wait",
  );
  await expect.poll(() => descendantsOf([soak.pid]).length, { timeout: 10_000 }).toBeGreaterThanOrEqual(2);
  const family = descendantsOf([soak.pid]).map(identify);
  families.push(...family);
  process.kill(family[0]!.pid, 'SIGSTOP');
  return { soak, family };
}

test.skipIf(process.platform !== 'linux')(
  'a soak that is killed leaves nothing running, frozen processes neither',
  async () => {
    const { soak, family } = await aFamily();
    const guarding = guard({ soak, parents: [] });
    process.kill(soak.pid, 'SIGKILL');
    await guarding;
    expect([soak, ...family].filter(isRunning)).toEqual([]);
  },
);

test.skipIf(process.platform !== 'linux')(
  'a soak whose parent is killed ends with everything that it has started',
  async () => {
    const { soak, family } = await aFamily();
    const parent = start('sleep', '1000');
    const guarding = guard({ soak, parents: [parent] });
    expect([soak, ...family].every(isRunning)).toBe(true);
    process.kill(parent.pid, 'SIGKILL');
    await guarding;
    expect([soak, ...family].filter(isRunning)).toEqual([]);
  },
);

// What the tests need first, both at once: the build of the service, and the voice agent.
import { spawn } from 'node:child_process';

/** @type {readonly (readonly [string, readonly string[]])[]} */
const commands = [
  ['npm', ['run', '--silent', 'build']],
  [process.execPath, ['scripts/install-agent.mjs']],
];

/** @returns {Promise<number>} the code that it ends with */
const run = (/** @type {string} */ command, /** @type {readonly string[]} */ args) =>
  new Promise((resolve, reject) => {
    const child = spawn(command, args, { stdio: 'inherit' });
    child.once('error', reject);
    child.once('exit', (code) => resolve(code ?? 1));
  });

process.exitCode = Math.max(...(await Promise.all(commands.map(([command, args]) => run(command, args)))));

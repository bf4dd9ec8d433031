import { spawn } from 'node:child_process';

/**
 * Runs a command, which prints what it has to say.
 *
 * @returns {Promise<number>} the code that it ends with, 1 after a signal
 */
export const runCommand = (/** @type {string} */ command, /** @type {readonly string[]} */ args) =>
  new Promise((resolve, reject) => {
    const child = spawn(command, args, { stdio: 'inherit' });
    child.once('error', reject);
    child.once('exit', (code) => resolve(code ?? 1));
  });

// `npm run lint`: types, code, the arrows between folders, what nothing uses, and formatting, in two lanes,
// because most of them use one processor. Ends with 1 if one fails.
import { runCommand } from './run-command.mjs';

/** Each lane runs its scripts of package.json one after the other. */
const lanes = [
  ['lint:code', 'lint:format'],
  ['lint:types', 'lint:arrows', 'lint:unused'],
];

/** @returns {Promise<boolean>} whether it found nothing */
async function check(/** @type {string} */ script) {
  const beganMs = Date.now();
  const isClean = (await runCommand('npm', ['run', '--silent', script])) === 0;
  console.log(`${script}: ${isClean ? 'nothing found' : 'failed'}, ${Math.round((Date.now() - beganMs) / 1000)} s`);
  return isClean;
}

// Both lanes read the clients that it writes.
const written = await runCommand(process.execPath, ['scripts/write-clients.mjs']);
const found = await Promise.all(
  lanes.map(async (scripts) => {
    let isClean = true;
    for (const script of scripts) isClean = (await check(script)) && isClean;
    return isClean;
  }),
);
process.exitCode = written === 0 && found.every((isClean) => isClean) ? 0 : 1;

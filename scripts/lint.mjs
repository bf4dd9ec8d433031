// `npm run lint`: types, code, the arrows between folders, what nothing uses, and formatting. The check of the code takes as long
// as all others, so it runs beside them. What a check has to say is printed at its end. Ends with 1 if one fails.
import { Buffer } from 'node:buffer';
import { spawn } from 'node:child_process';

/** Each lane runs its scripts of package.json one after the other. */
const lanes = [['lint:code'], ['lint:types', 'lint:arrows', 'lint:unused', 'lint:format']];

/** @returns {Promise<boolean>} whether it found nothing */
const run = (/** @type {string} */ command, /** @type {string[]} */ ...args) =>
  new Promise((resolve, reject) => {
    const beganMs = Date.now();
    const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'] });
    /** @type {Buffer[]} */
    const said = [];
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => said.push(chunk));
    child.once('error', reject);
    child.once('close', (code) => {
      process.stdout.write(Buffer.concat(said));
      console.log(
        `${args.at(-1)}: ${code === 0 ? 'nothing found' : 'failed'}, ${Math.round((Date.now() - beganMs) / 1000)} s`,
      );
      resolve(code === 0);
    });
  });

// Both lanes read the clients that it writes.
const written = await run(process.execPath, 'scripts/write-clients.mjs');
const found = await Promise.all(
  lanes.map(async (scripts) => {
    let isClean = true;
    for (const script of scripts) isClean = (await run('npm', 'run', '--silent', script)) && isClean;
    return isClean;
  }),
);
process.exitCode = written && found.every((isClean) => isClean) ? 0 : 1;

// Lets a process that a test starts run the TypeScript sources: `node --import` of this file. One that reads a file, of which
// there are hundreds, runs the build if that is no older than the sources: it starts in half the time.
import { readdirSync, statSync } from 'node:fs';
import { register } from 'node:module';
import { isMainThread } from 'node:worker_threads';
import { basename, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));
/** What programs that read files are made of. They end by themselves. */
const folders = ['contacts', 'knowledge', 'platform', 'domain'];
const readers = ['contacts/contacts-reader.js', 'knowledge/document-reader.js'];

const changedMs = (path) => statSync(join(root, path), { throwIfNoEntry: false })?.mtimeMs ?? 0;

/** @param {string} bundle which every build writes after all else that readers need */
function isBuilt(bundle) {
  const builtMs = changedMs(bundle);
  const unchanged = (path) => changedMs(path) < builtMs;
  return folders.every(
    (folder) =>
      unchanged(folder) &&
      readdirSync(join(root, folder), { recursive: true }).every((name) => unchanged(join(folder, name))),
  );
}

const program = relative(root, process.argv[1] ?? '');
const bundle = `dist/program/${basename(program)}`;
if (readers.includes(program) && isBuilt(bundle)) await import(new URL(`../../${bundle}`, import.meta.url).href);
else if (isMainThread) register('./source-hooks.mjs', import.meta.url);

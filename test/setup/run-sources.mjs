// Lets a process that a test starts run the TypeScript sources: `node --import` of this file. One that reads a file, of which
// there are hundreds, runs the build if that is no older than the sources: it starts in half the time.
import { readdirSync, statSync } from 'node:fs';
import { register } from 'node:module';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));
/** What programs that read files are made of. They end by themselves. */
const folders = ['contacts', 'knowledge', 'platform', 'domain'];
const readers = ['contacts/contacts-reader.js', 'knowledge/document-reader.js'];

const changedMs = (path) => statSync(join(root, path), { throwIfNoEntry: false })?.mtimeMs ?? 0;

function isBuilt() {
  // Every build copies it, after all else that readers need.
  const builtMs = changedMs('dist/platform/reader-watch.mjs');
  const unchanged = (path) => changedMs(path) < builtMs;
  return folders.every(
    (folder) =>
      unchanged(folder) &&
      readdirSync(join(root, folder), { recursive: true }).every((name) => unchanged(join(folder, name))),
  );
}

const program = relative(root, process.argv[1] ?? '');
if (readers.includes(program) && isBuilt()) await import(new URL(`../../dist/${program}`, import.meta.url).href);
else register('./source-hooks.mjs', import.meta.url);

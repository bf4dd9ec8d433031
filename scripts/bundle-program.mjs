// Bundles what `outdial` runs, with the packages that have the most files, into few files: a role starts in half the time, and
// commands answer in a third of it (docs/adr/0051-the-program-is-bundled.md). dist/cli/main.js loads the parts of a command
// from dist/program/ when it needs them.
import { chmodSync, rmSync } from 'node:fs';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';

const dist = fileURLToPath(new URL('../dist/', import.meta.url));
const parts = join(dist, 'program');

/** Plain JavaScript of many files, which looks for no file beside itself. Whatever these import is bundled as well. */
const bundled = new Set([
  '@bufbuild/protobuf',
  '@livekit/protocol',
  'ajv',
  'commander',
  'csv-parse',
  'fastify',
  'fastify-type-provider-zod',
  'ipaddr.js',
  'jose',
  'kysely',
  'libphonenumber-js',
  'livekit-server-sdk',
  'openai',
  'prom-client',
  'temporal-polyfill',
  'undici',
  'uuid',
  'zod',
]);
/** What bundled packages import and must stay apart: threads and native parts find their files by the package's folder. */
const apart = new Set(['pg', 'pg-native', 'pino']);

const nameOf = (/** @type {string} */ id) =>
  id
    .split('/')
    .slice(0, id.startsWith('@') ? 2 : 1)
    .join('/');

/** @param {string} id as it is imported @param {string | undefined} importer path of the file that imports it */
function staysApart(id, importer) {
  if (id.startsWith('.') || id.startsWith('\0') || resolve(id) === id) return false;
  if (id.startsWith('node:')) return true;
  const byPackage = importer?.includes(`${sep}node_modules${sep}`) === true;
  return byPackage ? apart.has(nameOf(id)) : !bundled.has(nameOf(id));
}

/** They read the files of accounts in processes of their own, one for each file: most of what a small file costs is their start. */
const readers = ['contacts/contacts-reader', 'knowledge/document-reader'];
/** The modules that start them. In the bundle they find the bundled ones, which lie in `dist/program`. */
const startReaders = new Set(readers.map((reader) => join(dist, dirname(reader), 'read-apart.js')));

/** Our own files find others (pages, migrations, programs) from where tsc has put them, which is where they stay. */
const ownPlaces = {
  name: 'own-places',
  transform(/** @type {string} */ code, /** @type {string} */ id) {
    if (id.includes('node_modules') || !code.includes('import.meta.url')) return null;
    const place = startReaders.has(id) ? '../program/' : relative(parts, id).split(sep).join('/');
    return code.replaceAll('import.meta.url', `new URL(${JSON.stringify(place)}, import.meta.url).href`);
  },
};

// Parts of an earlier build have other names.
rmSync(parts, { recursive: true, force: true });

/** @param {Record<string, string>} input names of entries and their files @param {string} entryFileNames */
async function write(input, entryFileNames) {
  const bundle = await rolldown({
    input,
    platform: 'node',
    external: staysApart,
    plugins: [ownPlaces],
    onLog: (level, { message }) => {
      if (level === 'warn') console.warn(message);
    },
  });
  // All lie one folder deep, so a place beside `dist/program` is found from each.
  await bundle.write({ dir: dist, format: 'esm', entryFileNames, chunkFileNames: 'program/[name]-[hash].js' });
  await bundle.close();
}

await write({ main: join(dist, 'cli/outdial.js') }, 'cli/[name].js');
for (const reader of readers) await write({ [basename(reader)]: join(dist, `${reader}.js`) }, 'program/[name].js');
chmodSync(join(dist, 'cli/main.js'), 0o755); // npm links it as the command `outdial`

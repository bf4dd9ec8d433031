// tsc leaves everything but TypeScript behind: the SQL files that the migrations read, and the code of a thread, go beside
// their compiled users.
import { cpSync, rmSync } from 'node:fs';

for (const folder of ['db/migrations', 'db/functions']) {
  // One that was renamed would be applied under both names.
  rmSync(`dist/${folder}`, { recursive: true, force: true });
  cpSync(folder, `dist/${folder}`, { recursive: true, filter: (path) => !path.endsWith('.ts') });
}
cpSync('platform/reader-watch.mjs', 'dist/platform/reader-watch.mjs');

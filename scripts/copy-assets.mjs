// tsc leaves everything but TypeScript behind: the SQL files that the migrations read go beside their compiled readers.
import { cpSync } from 'node:fs';

for (const folder of ['db/migrations', 'db/functions']) {
  cpSync(folder, `dist/${folder}`, { recursive: true, filter: (path) => !path.endsWith('.ts') });
}

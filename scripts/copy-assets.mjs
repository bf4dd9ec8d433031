// tsc leaves everything but TypeScript behind: the SQL files that the migrations read, and the threads that read workbooks
// and documents, go beside their compiled users.
import { chmodSync, cpSync } from 'node:fs';

for (const folder of ['db/migrations', 'db/functions']) {
  cpSync(folder, `dist/${folder}`, { recursive: true, filter: (path) => !path.endsWith('.ts') });
}
for (const thread of ['contacts/workbook-thread.mjs', 'knowledge/document-thread.mjs'])
  cpSync(thread, `dist/${thread}`);
chmodSync('dist/cli/main.js', 0o755); // npm links it as the command `outdial`

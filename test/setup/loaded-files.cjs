// Preloaded by a test: when the process ends, it writes which CommonJS files it has loaded, as the packages of OpenTelemetry are.
const { writeFileSync } = require('node:fs');
const { join } = require('node:path');

const folder = process.env.LOADED_FILES_FOLDER;
if (folder !== undefined) {
  process.on('exit', () => {
    const role = process.argv[2] ?? 'none';
    writeFileSync(join(folder, `${role}-${process.pid}.json`), JSON.stringify(Object.keys(require.cache)));
  });
}

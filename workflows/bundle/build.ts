import { writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { bundleWorkflows } from './bundle.js';

/** Run by `npm run build`: bundles the compiled workflows once, so that no worker has to when it starts. */
await writeFile(
  fileURLToPath(new URL('./workflows.bundle.js', import.meta.url)),
  await bundleWorkflows(fileURLToPath(new URL('../index.js', import.meta.url))),
);

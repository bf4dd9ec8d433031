import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundleWorkflows } from '../../workflows/bundle/bundle.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const cache = join(root, 'node_modules', '.cache', 'outdial');

/** Everything that a workflow may import. */
function fingerprint(): string {
  const hash = createHash('sha256');
  for (const folder of ['workflows', 'domain']) {
    const files = readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' });
    for (const file of files.filter((name) => name.endsWith('.ts')).sort()) {
      hash.update(file).update(readFileSync(join(root, folder, file)));
    }
  }
  return hash.digest('hex').slice(0, 16);
}

/** The workflows' code as the worker takes it, bundled once for all test files. */
export async function workflowCode(): Promise<string> {
  const kept = join(cache, `workflows-${fingerprint()}.js`);
  if (existsSync(kept)) return readFileSync(kept, 'utf8');
  const code = await bundleWorkflows(join(root, 'workflows', 'index.ts'));
  mkdirSync(cache, { recursive: true });
  writeFileSync(`${kept}.${process.pid}`, code);
  renameSync(`${kept}.${process.pid}`, kept);
  return code;
}

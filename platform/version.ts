import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';

const Package = z.object({ name: z.string(), version: z.string() });

/**
 * The version in Outdial's package.json, the first of that name above this file: sources, `dist` and `agent/dist` lie at
 * different depths, and `agent` has its own package.json.
 */
function readVersion(): string {
  for (let folder = dirname(fileURLToPath(import.meta.url)); folder !== dirname(folder); folder = dirname(folder)) {
    const path = join(folder, 'package.json');
    if (!existsSync(path)) continue;
    const { name, version: found } = Package.parse(JSON.parse(readFileSync(path, 'utf8')));
    if (name === 'outdial') return found;
  }
  throw new Error('Outdial’s package.json is missing: it lies beside the folder dist.');
}

/** Version of this Outdial, such as `0.1.0`. */
export const version = readVersion();

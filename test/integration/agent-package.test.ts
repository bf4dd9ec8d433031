import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const inAgent = (path: string): boolean => existsSync(fileURLToPath(new URL(`../../agent/${path}`, import.meta.url)));

test.skipIf(!inAgent('node_modules/@livekit/agents'))(
  'the suites of the voice agent run if its packages can be installed (npm ci --prefix agent)',
  () => {
    expect(inAgent('package-lock.json')).toBe(true);
  },
);

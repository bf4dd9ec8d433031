// The types of agent/ are checked if its packages are installed: they are not part of the root's.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));

if (existsSync(`${root}agent/node_modules/@livekit/agents`)) {
  const { status } = spawnSync(
    process.execPath,
    ['node_modules/typescript/bin/tsc', '-p', 'agent/tsconfig.json', '--noEmit'],
    {
      cwd: root,
      stdio: 'inherit',
    },
  );
  process.exitCode = status ?? 1;
} else {
  console.log('agent/ is not installed (npm ci --prefix agent): its types are not checked');
}

// `npm run lint:types`. Those of agent/ are checked if its packages are installed: they are not part of the root's.
import { hasAgentPackages } from './agent-packages.mjs';
import { runCommand } from './run-command.mjs';

const projects = ['tsconfig.json', 'console/tsconfig.json', 'clients/tsconfig.json'];
if (hasAgentPackages()) projects.push('agent/tsconfig.json');
else console.log('agent/ is not installed (npm ci --prefix agent): its types are not checked');

const tsc = 'node_modules/typescript-native/bin/tsc';
for (const project of projects) {
  if ((await runCommand(process.execPath, [tsc, '-p', project, '--noEmit'])) !== 0) process.exitCode = 1;
}

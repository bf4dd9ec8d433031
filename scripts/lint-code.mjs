// `npm run lint:code`. The code of agent/ is read if its packages are installed, because the rules ask for types.
import { hasAgentPackages } from './agent-packages.mjs';
import { runCommand } from './run-command.mjs';

if (!hasAgentPackages()) console.log('agent/ is not installed (npm ci --prefix agent): its code is not checked');
process.exitCode = await runCommand('oxlint', hasAgentPackages() ? [] : ['--ignore-pattern', 'agent/']);

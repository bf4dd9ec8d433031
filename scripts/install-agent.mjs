// Installs the voice agent's packages for its suites, once, and compiles it. If they cannot be had, the suites are skipped by
// name.
import { spawnSync } from 'node:child_process';
import { agentFolder, hasAgentPackages } from './agent-packages.mjs';

const patienceMs = 180_000;

if (!hasAgentPackages()) {
  console.log('Installing the packages of agent/ (some 330 MB) …');
  const { status } = spawnSync(
    'npm',
    ['ci', '--prefix', agentFolder, '--no-audit', '--no-fund', '--loglevel', 'error'],
    {
      stdio: 'inherit',
      timeout: patienceMs,
    },
  );
  if (status !== 0) console.log('They could not be installed: the suites of the voice agent are skipped.');
}

if (hasAgentPackages()) {
  const { status } = spawnSync('npm', ['run', '--silent', 'build', '--prefix', agentFolder], { stdio: 'inherit' });
  process.exitCode = status ?? 1;
}

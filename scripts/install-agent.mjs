// Installs the voice agent's packages for its suites, once, and compiles it. If they cannot be had, the suites are skipped by
// name.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const agent = fileURLToPath(new URL('../agent', import.meta.url));
const installed = () => existsSync(`${agent}/node_modules/@livekit/agents`);
const patienceMs = 180_000;

if (!installed()) {
  console.log('Installing the packages of agent/ (some 330 MB) …');
  const { status } = spawnSync('npm', ['ci', '--prefix', agent, '--no-audit', '--no-fund', '--loglevel', 'error'], {
    stdio: 'inherit',
    timeout: patienceMs,
  });
  if (status !== 0) console.log('They could not be installed: the suites of the voice agent are skipped.');
}

if (installed()) {
  const { status } = spawnSync('npm', ['run', '--silent', 'build', '--prefix', agent], { stdio: 'inherit' });
  process.exitCode = status ?? 1;
}

// What the tests need first, both at once: the build of the service, and the voice agent.
import { runCommand } from './run-command.mjs';

/** @type {readonly (readonly [string, readonly string[]])[]} */
const commands = [
  ['npm', ['run', '--silent', 'build']],
  [process.execPath, ['scripts/install-agent.mjs']],
];

process.exitCode = Math.max(...(await Promise.all(commands.map(([command, args]) => runCommand(command, args)))));

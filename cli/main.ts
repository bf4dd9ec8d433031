#!/usr/bin/env node
import { Command } from 'commander';
import { accountCommands, dialingCommands } from './commands/account.js';
import { auditCommands } from './commands/audit.js';
import { grantCommands } from './commands/grant.js';
import { keyCommands } from './commands/key.js';
import { maintenanceCommands } from './commands/maintenance.js';
import { roleCommands } from './commands/roles.js';
import { tokenCommands } from './commands/token.js';
import { localCommands } from './commands/up.js';

const program = new Command('outdial')
  .description('Self-hosted voice agents and SIP telephony. Settings are environment variables: docs/configuration.md.')
  .version('0.1.0')
  .showHelpAfterError('(outdial --help lists the commands)');
localCommands(program);
roleCommands(program);
maintenanceCommands(program);
auditCommands(program);
accountCommands(program);
dialingCommands(program);
grantCommands(program);
keyCommands(program);
tokenCommands(program);

try {
  await program.parseAsync();
} catch (error) {
  // Words for whoever typed the command; OUTDIAL_LOG_LEVEL=debug shows where it came from.
  const debug = process.env.OUTDIAL_LOG_LEVEL === 'debug' && error instanceof Error;
  console.error(
    `outdial: ${debug ? (error.stack ?? error.message) : error instanceof Error ? error.message : String(error)}`,
  );
  // What is half open must not keep a process that has failed.
  process.exit(1);
}

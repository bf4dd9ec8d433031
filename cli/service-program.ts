import { Command } from 'commander';
import { version } from '../platform/version.js';
import { batchCommands, recordCommands } from './commands/batch.js';
import { campaignCommands } from './commands/campaign.js';
import { completionCommand } from './commands/completion.js';
import { doctorCommand } from './commands/doctor.js';
import { resourceCommands } from './commands/resources.js';
import { mcpCommand } from './commands/mcp.js';
import { ownAccountCommands } from './commands/own-account.js';
import { roleCommands } from './commands/roles.js';
import { settingCommands } from './commands/settings.js';
import { signInCommands } from './commands/sign-in.js';
import { localCommands } from './commands/up.js';
import { webhookCommands } from './commands/webhooks.js';

/**
 * `outdial` with the commands that ask a service over its API and those that run its processes. None of them loads the code of
 * the database before it runs.
 */
export function createServiceProgram(): Command {
  const program = new Command('outdial')
    .description(
      'Self-hosted voice agents and SIP telephony. Settings are environment variables: docs/configuration.md.',
    )
    .version(version);
  // Commands throw what is wrong instead of ending the process: outdial.ts decides about the exit code.
  program.exitOverride();
  localCommands(program);
  signInCommands(program);
  batchCommands(program);
  recordCommands(program);
  campaignCommands(program);
  resourceCommands(program);
  ownAccountCommands(program);
  settingCommands(program);
  webhookCommands(program);
  mcpCommand(program);
  doctorCommand(program);
  completionCommand(program);
  roleCommands(program);
  return program;
}

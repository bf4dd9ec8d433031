import { Command } from 'commander';
import { version } from '../platform/version.js';
import { hintAtHelp } from './command-line.js';
import { accountCommands, dialingCommands } from './commands/account.js';
import { auditCommands } from './commands/audit.js';
import { batchCommands, recordCommands } from './commands/batch.js';
import { campaignCommands } from './commands/campaign.js';
import { completionCommand } from './commands/completion.js';
import { doctorCommand } from './commands/doctor.js';
import { grantCommands } from './commands/grant.js';
import { keyCommands } from './commands/key.js';
import { maintenanceCommands } from './commands/maintenance.js';
import { resourceCommands } from './commands/resources.js';
import { mcpCommand } from './commands/mcp.js';
import { restoredCommand } from './commands/restored.js';
import { roleCommands } from './commands/roles.js';
import { settingCommands } from './commands/settings.js';
import { signInCommands } from './commands/sign-in.js';
import { tokenCommands } from './commands/token.js';
import { localCommands } from './commands/up.js';
import { webhookCommands } from './commands/webhooks.js';

/** `outdial` with all its commands. */
export function createProgram(): Command {
  const program = new Command('outdial')
    .description(
      'Self-hosted voice agents and SIP telephony. Settings are environment variables: docs/configuration.md.',
    )
    .version(version);
  // Commands throw what is wrong instead of ending the process: main.ts decides about the exit code.
  program.exitOverride();
  localCommands(program);
  signInCommands(program);
  batchCommands(program);
  recordCommands(program);
  campaignCommands(program);
  resourceCommands(program);
  settingCommands(program);
  webhookCommands(program);
  mcpCommand(program);
  doctorCommand(program);
  completionCommand(program);
  roleCommands(program);
  maintenanceCommands(program);
  restoredCommand(program);
  auditCommands(program);
  accountCommands(program);
  dialingCommands(program);
  grantCommands(program);
  keyCommands(program);
  tokenCommands(program);
  hintAtHelp(program);
  return program;
}

import type { Command } from 'commander';
import { hintAtHelp } from './command-line.js';
import { accountCommands, dialingCommands } from './commands/account.js';
import { auditCommands } from './commands/audit.js';
import { grantCommands } from './commands/grant.js';
import { keyCommands } from './commands/key.js';
import { maintenanceCommands } from './commands/maintenance.js';
import { restoredCommand } from './commands/restored.js';
import { tokenCommands } from './commands/token.js';
import { workerVersionCommands } from './commands/worker-version.js';
import { createServiceProgram } from './service-program.js';

/** `outdial` with all its commands. */
export function createProgram(): Command {
  const program = createServiceProgram();
  maintenanceCommands(program);
  workerVersionCommands(program);
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

import { Argument, type Command } from 'commander';
import { completionScript, shells } from '../client/completion.js';

/** `outdial completion` */
export function completionCommand(program: Command): void {
  program
    .command('completion')
    .addArgument(new Argument('<shell>', 'the shell').choices(shells))
    .description('Print a script that completes commands and options in a shell')
    .action((shell: (typeof shells)[number]) => {
      process.stdout.write(completionScript(shell, program));
    });
}

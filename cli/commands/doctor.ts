import type { Command } from 'commander';
import { asksService, type ClientFlags } from './service-options.js';

/** `outdial doctor` */
export function doctorCommand(program: Command): void {
  asksService(program.command('doctor'))
    .description(
      'Check the service and, where its settings are, PostgreSQL, migrations, Temporal, LiveKit, clocks, trunks and keys; each ' +
        'failure comes with its remedy. Ends with 1 if a check fails',
    )
    .action(async (flags: ClientFlags) => (await import('../doctor/run.js')).runDoctor(flags));
}

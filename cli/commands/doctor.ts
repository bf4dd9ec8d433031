import type { Command } from 'commander';
import { numberBetween } from './numbers.js';
import { asksService, type ClientFlags } from './service-options.js';

/** `outdial doctor` */
export function doctorCommand(program: Command): void {
  asksService(program.command('doctor'))
    .description(
      'Check the service and, where its settings are, PostgreSQL, migrations, Temporal, LiveKit, clocks, trunks and keys, and say how many calls at once it all carries; each ' +
        'failure comes with its remedy. Ends with 1 if a check fails',
    )
    .option('--numbers <n>', 'say how long this many numbers take', numberBetween(1, 1_000_000_000), 10_000)
    .option('--seconds <s>', 'that each keeps a line on average, ringing included', numberBetween(1, 86_400), 60)
    .action(async (flags: ClientFlags & { numbers: number; seconds: number }) =>
      (await import('../doctor/run.js')).runDoctor(flags),
    );
}

import type { Command } from 'commander';
import type { ListenFlags } from '../client/webhooks/listen.js';
import type { TriggerFlags } from '../client/webhooks/trigger.js';
import { namesService } from './service-options.js';

/** What helps to write a receiver of webhooks. */
export function webhookCommands(program: Command): void {
  namesService(program.command('listen'))
    .requiredOption('--forward-to <url>', 'where they go, such as http://localhost:3000/webhooks')
    .option('--events <names>', 'only these, comma-separated')
    .option('--since <time>', 'begin this far back, such as 10m, or at a time (default: where it left off, else now)')
    .option('--bodies', 'print what is posted')
    .description('Post to this machine what the webhooks of the account are told; no tunnel is needed')
    .action(async (flags: ListenFlags) => (await import('../client/webhooks/listen.js')).listen(flags));
  namesService(program.command('trigger').argument('<event>', 'such as call-answered or batchcall-completed'))
    .option(
      '--to <url>',
      'where it goes (default: where `outdial listen` posts to, else the SIP webhooks of the account that hear of it)',
    )
    .description('Post an example of a webhook event, signed as the account signs; nobody is called')
    .action(async (event: string, flags: TriggerFlags) =>
      (await import('../client/webhooks/trigger.js')).trigger(event, flags),
    );
}

import type { Command } from 'commander';
import type { TriggerFlags } from '../client/webhooks/trigger.js';
import { namesService } from './service-options.js';

/** What helps to write a receiver of webhooks. */
export function webhookCommands(program: Command): void {
  namesService(program.command('trigger').argument('<event>', 'such as call-answered or batchcall-completed'))
    .option('--to <url>', 'where it goes (default: the SIP webhooks of the account that hear of such events)')
    .description('Post an example of a webhook event, signed as the account signs; nobody is called')
    .action(async (event: string, flags: TriggerFlags) =>
      (await import('../client/webhooks/trigger.js')).trigger(event, flags),
    );
}

import { type Command, Option } from 'commander';
import { figureDimensions } from '../../domain/batch/figures.js';
import type { AuditLogFlags } from '../client/account/audit-log.js';
import type { StatsFlags } from '../client/account/stats.js';
import type { WebhookFlags } from '../client/webhooks/receivers.js';
import { asksService, type ClientFlags, limited, listing, type Listing, several } from './service-options.js';

/** What concerns the whole account that the token is of, over the API. */
export function ownAccountCommands(program: Command): void {
  dialingOfAccount(program.command('dialing').description('Whether anything of the account is dialed'));
  const contacts = async () => import('../client/account/contacts.js');
  const contact = program.command('contact').description('All that the account has about one number');
  const person = (name: string): Command => asksService(contact.command(name).argument('<number>', 'E.164'));
  limited(person('show'))
    .description('Print its calls, batch calls and entry on the do-not-call list')
    .action(async (number: string, flags: Listing) => (await contacts()).showContact(number, flags));
  person('erase')
    .option('--yes', 'do it without asking')
    .description('Erase a person for good: number, transcripts, recordings; it stays on the do-not-call list')
    .action(async (number: string, flags: ClientFlags & { yes?: true }) =>
      (await contacts()).eraseContact(number, flags),
    );
  listing(program.command('audit-log').description('Who changed what in the account'))
    .option('--action <names>', 'only these, such as agent.deploy or agent; comma-separated')
    .option('--target <id>', 'only what was done to this')
    .option('--key <id>', 'only what this API key did, key_…')
    .option('--from <time>', 'only from this time or day (UTC) on')
    .option('--to <time>', 'only until this time or day (UTC)')
    .description('List what was changed, newest first')
    .action(async (flags: AuditLogFlags) => (await import('../client/account/audit-log.js')).listAuditLog(flags));
  asksService(program.command('stats'))
    .addOption(new Option('--by <what>', 'a row for each').choices([...figureDimensions]).default('day'))
    .option('--from <day>', 'first day, such as 2027-01-01 (default: 29 days before the last)')
    .option('--to <day>', 'last day (default: today, UTC, or tomorrow if it has calls)')
    .description('Print what all calls of the account came to')
    .action(async (flags: StatsFlags) => (await import('../client/account/stats.js')).showAccountStats(flags));
  webhooksOfAccount(program.command('webhook').description('SIP webhooks: what is told about every call'));
}

function dialingOfAccount(dialing: Command): void {
  const client = async () => import('../client/account/dialing.js');
  asksService(dialing.command('stop'))
    .option('--hang-up', 'hang up live calls, too')
    .description('Dial nothing of the account until it is resumed: the emergency stop')
    .action(async (flags: ClientFlags & { hangUp?: true }) => (await client()).stopDialing(flags));
  asksService(dialing.command('resume'))
    .description('Let the account dial again; batch calls that were paused stay paused')
    .action(async (flags: ClientFlags) => (await client()).resumeDialing(flags));
}

function webhooksOfAccount(webhook: Command): void {
  const receivers = async () => import('../client/webhooks/receivers.js');
  const named = (name: string): Command => asksService(webhook.command(name).argument('<webhook>', 'its id, swh_…'));
  const event = ['--event <name>', 'event that it hears of, such as call-hangup; again for more of them'] as const;
  listing(webhook)
    .description('List SIP webhooks')
    .action(async (flags: Listing) => (await receivers()).listWebhooks(flags));
  named('show')
    .description('Print a SIP webhook')
    .action(async (id: string, flags: ClientFlags) => (await receivers()).showWebhook(id, flags));
  asksService(webhook.command('create').argument('<url>', 'https, not in a private network'))
    .option(...event, several)
    .description('Have events of all calls posted to an address')
    .action(async (url: string, flags: WebhookFlags) => (await receivers()).createWebhook(url, flags));
  named('set')
    .option('--url <url>', 'where new events go')
    .option(...event, several)
    .description('Change a SIP webhook; events named are the whole list')
    .action(async (id: string, flags: WebhookFlags) => (await receivers()).setWebhook(id, flags));
  named('delete')
    .option('--yes', 'delete it without asking')
    .description('Delete a SIP webhook; events that wait for another try are dropped')
    .action(async (id: string, flags: ClientFlags & { yes?: true }) => (await receivers()).deleteWebhook(id, flags));
}

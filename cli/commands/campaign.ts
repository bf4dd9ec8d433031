import type { Command } from 'commander';
import type { AddFlags } from '../client/batch/add.js';
import type { CreateFlags, SetFlags } from '../client/campaigns.js';
import { asksService, type ClientFlags, limited, listing, several } from './service-options.js';

const campaigns = async () => import('../client/campaigns.js');

/** `outdial campaign …`: recurring campaigns over the API. */
export function campaignCommands(program: Command): void {
  const campaign = program.command('campaign').description('Campaigns: batch calls that are made again and again');
  const named = (name: string): Command => asksService(campaign.command(name).argument('<campaign>', 'its id, camp_…'));
  listing(campaign)
    .description('List campaigns, newest first')
    .action(async (flags: ClientFlags & { limit: number }) => (await campaigns()).listCampaigns(flags));
  named('show')
    .description('Print a campaign, who waits and when it runs next')
    .action(async (id: string, flags: ClientFlags) => (await campaigns()).showCampaign(id, flags));
  asksService(campaign.command('create'))
    .requiredOption('--name <name>', 'name of the campaign')
    .requiredOption('--cron <fields>', 'when it runs: minute, hour, day, month, day of the week, such as "0 9 * * 1-5"')
    .option('--zone <zone>', 'IANA zone of --cron (default: that of this machine)')
    .option('--from <number>', 'number to call from')
    .option('--template <file>', 'settings of its batch calls: JSON as for POST /v1/batch-calls, without recipients')
    .option(
      '--idempotency-key <text>',
      'text of yours: repeated within 24 hours, the command makes nothing a second time',
    )
    .description('Make a campaign')
    .action(async (flags: CreateFlags) => (await campaigns()).createCampaign(flags));
  named('set')
    .option('--name <name>', 'name of the campaign')
    .option('--cron <fields>', 'when it runs: minute, hour, day, month, day of the week, such as "0 9 * * 1-5"')
    .option('--zone <zone>', 'IANA zone of --cron')
    .option('--from <number>', 'number to call from')
    .option('--template <file>', 'settings of its batch calls, in place of all that it has')
    .description('Change a campaign, from its next run on')
    .action(async (id: string, flags: SetFlags) => (await campaigns()).setCampaign(id, flags));
  named('add')
    .argument('[file]', '.csv with a column phone_number, or .json with recipients')
    .option('--number <number>', 'a number, E.164; may be given several times', several)
    .option('-f, --field <name=value>', 'with --number: what the agent is told', several)
    .description('Add recipients, who are called by the next run')
    .action(async (id: string, file: string | undefined, flags: AddFlags) =>
      (await campaigns()).addToCampaign(id, file, flags),
    );
  named('run')
    .description('Call those who wait now')
    .action(async (id: string, flags: ClientFlags) => (await campaigns()).steerCampaign('campaigns.run', id, flags));
  limited(named('runs'))
    .description('List the runs of a campaign, and what each came to')
    .action(async (id: string, flags: ClientFlags & { limit: number }) => (await campaigns()).listRuns(id, flags));
  named('pause')
    .description('Have it run no more by itself until it is resumed')
    .action(async (id: string, flags: ClientFlags) => (await campaigns()).steerCampaign('campaigns.pause', id, flags));
  named('resume')
    .description('Let a paused campaign run again')
    .action(async (id: string, flags: ClientFlags) => (await campaigns()).steerCampaign('campaigns.resume', id, flags));
  named('delete')
    .option('--yes', 'delete it without asking')
    .description('Delete a campaign with those who wait; batch calls that it made stay')
    .action(async (id: string, flags: ClientFlags & { yes?: true }) => (await campaigns()).deleteCampaign(id, flags));
}

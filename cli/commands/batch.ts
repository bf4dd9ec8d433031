import { type Command, Option } from 'commander';
import type { AddFlags } from '../client/batch/add.js';
import type { BatchChanges } from '../client/batch/change.js';
import type { CreateFlags } from '../client/batch/create.js';
import type { TimelineFlags } from '../client/batch/figures.js';
import type { RecordChanges, RecordFilters } from '../client/batch/records.js';
import type { ExportFlags, ListFlags, RetryFlags } from '../client/batch/steer.js';
import { figureDimensions } from '../../domain/batch/figures.js';
import { timelineSteps } from '../../domain/batch/timeline.js';
import { amountOrNone, numberBetween, numberOrNone } from './numbers.js';
import {
  asksService,
  type ClientFlags,
  limited,
  type Listing,
  namesService,
  searched,
  several,
} from './service-options.js';

const steer = async () => import('../client/batch/steer.js');
const figures = async () => import('../client/batch/figures.js');
const records = async () => import('../client/batch/records.js');
const rows = async () => import('../client/batch/rows.js');
const idempotency = [
  '--idempotency-key <text>',
  'text of yours: repeated within 24 hours, the command makes nothing a second time',
] as const;

/** `outdial batch …`: batch calls over the API. */
export function batchCommands(program: Command): void {
  const batch = program.command('batch').description('Batch calls: try out, start, follow, steer, export');
  createCommand(batch);
  asksService(limited(batch.command('list')))
    .option('--status <names>', 'only those in these statuses, comma-separated')
    .option('--search <text>', 'part of the name, the description, the number or the id')
    .description('List batch calls, newest first')
    .action(async (flags: ListFlags) => (await steer()).listBatches(flags));
  const named = (name: string): Command => asksService(batch.command(name).argument('<batch>', 'its id, batch_…'));
  named('show')
    .description('Print how a batch call goes and what it waits for')
    .action(async (id: string, flags: ClientFlags) => (await steer()).showBatch(id, flags));
  named('watch')
    .description('Follow a batch call to its end; the exit code says how it ended')
    .action(async (id: string, flags: ClientFlags) => (await steer()).watch(id, flags));
  named('pause')
    .description('Dial nothing more of a batch call until it is resumed; live calls go on')
    .action(async (id: string, flags: ClientFlags) => (await steer()).steerBatch('batchCalls.pause', id, flags));
  named('resume')
    .description('Let a paused batch call go on')
    .action(async (id: string, flags: ClientFlags) => (await steer()).steerBatch('batchCalls.resume', id, flags));
  named('cancel')
    .option('--now', 'hang up its live calls, too')
    .description('End a batch call: no call is started any more')
    .action(async (id: string, flags: ClientFlags & { now?: true }) =>
      (await steer()).steerBatch('batchCalls.cancel', id, flags),
    );
  named('close')
    .description('Let an open batch call end when those that it has have been called')
    .action(async (id: string, flags: ClientFlags) => (await steer()).steerBatch('batchCalls.close', id, flags));
  named('retry')
    .option(
      '--status <names>',
      'whose numbers: failed, not-answered, rejected, missed, abandoned, voicemail, cancelled',
    )
    .option('--name <name>', 'name of the new batch call')
    .option('--watch', 'follow the new batch call to its end')
    .option(...idempotency)
    .description('Call the unsuccessful numbers of a finished batch call again, now, as a new batch call')
    .action(async (id: string, flags: RetryFlags) => (await steer()).retryBatch(id, flags));
  setCommand(named('set'));
  named('stats')
    .addOption(new Option('--by <what>', 'a row for each').choices([...figureDimensions]))
    .description('Print what the calls of a batch call came to')
    .action(async (id: string, flags: ClientFlags & { by?: string }) => (await figures()).showStats(id, flags));
  named('timeline')
    .addOption(
      new Option('--step <seconds>', 'length of a step (default: the shortest with at most 1,500)').choices(
        timelineSteps.map(String),
      ),
    )
    .option('--from <time>', 'from this time or day (UTC)')
    .option('--to <time>', 'until this time, or with this day (UTC)')
    .description('Print how many calls were dialed, answered and live over time')
    .action(async (id: string, flags: TimelineFlags) => (await figures()).showTimeline(id, flags));
  limited(named('rejected'))
    .description('List the rows of the file that are not called, and why')
    .action(async (id: string, flags: Listing) => (await rows()).listRejectedRows(id, flags));
  limited(named('corrected'))
    .description('List the rows of the file whose number was corrected')
    .action(async (id: string, flags: Listing) => (await rows()).listCorrectedRows(id, flags));
  named('delete')
    .option('--yes', 'delete it without asking')
    .description('Delete a finished batch call with its records, transcripts and recordings')
    .action(async (id: string, flags: ClientFlags & { yes?: true }) => (await steer()).deleteBatch(id, flags));
  exportCommand(batch);
  named('add')
    .argument('[file]', '.csv with a column phone_number, or .json with recipients')
    .option('--number <number>', 'a number, E.164; may be given several times', several)
    .option('-f, --field <name=value>', 'with --number: what the agent is told', several)
    .description('Add recipients to a batch call that runs')
    .action(async (id: string, file: string | undefined, flags: AddFlags) =>
      (await import('../client/batch/add.js')).addToBatch(id, file, flags),
    );
}

function createCommand(batch: Command): void {
  asksService(batch.command('create'))
    .argument('<file>', '.csv, .xls or .xlsx with a column phone_number')
    .description('Try out a batch call: nothing is made and nobody called without --start or --schedule')
    .option('--start', 'make it, and begin as soon as the file has been read')
    .option(
      '--schedule <time>',
      'make it, and begin then: "2027-01-31 09:30", with a time zone behind it if not of here, or 2027-01-31T09:30Z',
    )
    .option('--name <name>', 'name of the batch call (default: that of the file)')
    .option('--description <text>', 'for your own use')
    .option(
      '--from <number>',
      'number to call from (default: the only one that has an outbound gateway); several times for a pool of numbers',
      several,
    )
    .addOption(
      new Option(
        '--number-on-retry <which>',
        'with several numbers, which a retry is made from (default: same)',
      ).choices(['same', 'other']),
    )
    .option('--rule <id>', 'outbound routing rule (default: the only one of the number)')
    .option('--retry <plan>', 'call again after these delays: 5m,1h, or missed,not-answered,rejected:5m,1h')
    .option(
      '--window <hours>',
      'hours in which calls may start: "09:00-17:00 mon-fri", by the clock of each callee; again for more of them',
      several,
    )
    .option('--except <dates>', 'nobody is called on these dates: 2027-12-25,2027-12-26', several)
    .option(
      '--priority <n>',
      'share of a gateway beside other batch calls: 1 most, 9 least, default 5',
      numberBetween(1, 9),
    )
    .option('--stop-after <n what>', 'stop calling after this many: "100 answered" or "20 success"')
    .option('--until <time>', 'no call starts then or later, as --schedule: "2027-01-31 18:00"')
    .option('--max-cost <amount>', 'stop calling once the calls have cost this much, by the prices of the account')
    .option(
      '--pre-dial <address>',
      'asked before each call: "https://example.com/ask", with wait, skip or dial behind it; none',
    )
    .option(
      '--variant <agent=weight>',
      'compare agents: agt_…=70, or agt_…/ver_…=30 for a version; twice or more',
      several,
    )
    .option('--max-concurrent <n>', 'most calls of it at once', numberBetween(1, 10_000))
    .option('--webhook <url>', 'where its start and end are told')
    .option('--column <name=header>', 'name of a column that has another header: phone_number=Mobile', several)
    .option('--default-country <code>', 'read numbers without + as numbers of this country, such as US')
    .addOption(new Option('--missing-plus <what>', 'numbers without +').choices(['reject', 'add']))
    .addOption(new Option('--duplicates <what>', 'a number that comes twice').choices(['call', 'skip']))
    .addOption(new Option('--unfilled <what>', 'placeholders that no column fills').choices(['allow', 'reject']))
    .option('--open', 'do not complete by itself: recipients will be added')
    .option('--watch', 'follow it to its end')
    .option(...idempotency)
    .action(async (file: string, flags: CreateFlags) =>
      (await import('../client/batch/create.js')).createBatch(file, flags),
    );
}

function setCommand(set: Command): void {
  set
    .description('Change a batch call, also while it runs; none takes a setting away')
    .option('--name <name>', 'its name')
    .option('--description <text>', 'for your own use; none')
    .option('--schedule <time>', 'before it has started: when it starts, as in create; now')
    .option('--retry <plan>', 'for calls that end from now on: 5m,1h, or missed,rejected:5m,1h; none')
    .option('--window <hours>', 'hours in which calls may start, as in create; again for more of them; none', several)
    .option('--except <dates>', 'with --window: dates on which nobody is called', several)
    .addOption(
      new Option('--number-on-retry <which>', 'with several numbers, which a retry is made from').choices([
        'same',
        'other',
      ]),
    )
    .option('--max-concurrent <n>', 'most calls of it at once; none', numberOrNone(10_000))
    .option('--priority <n>', 'share of a gateway: 1 most, 9 least', numberBetween(1, 9))
    .option('--stop-after <n what>', 'stop calling after this many: "100 answered" or "20 success"; none')
    .option('--until <time>', 'no call starts then or later: "2027-01-31 18:00"; none')
    .option('--max-cost <amount>', 'stop calling once the calls have cost this much; none', amountOrNone)
    .option('--pre-dial <address>', 'asked before each call, as in create; none')
    .option('--variant <agent=weight>', 'other weights for recipients to come; each variant again', several)
    .option('--open', 'do not complete by itself: recipients will be added (`batch close` lets it end)')
    .action(async (id: string, flags: BatchChanges & ClientFlags) =>
      (await import('../client/batch/change.js')).setBatch(id, flags),
    );
}

/** `outdial record …`: the recipients of a batch call. */
export function recordCommands(program: Command): void {
  const record = program.command('record').description('Recipients of a batch call');
  searched(record)
    .argument('<batch>', 'its id, batch_…')
    .option('--status <names>', 'only records in these statuses, comma-separated')
    .option('--reason <names>', 'only records with these reasons, comma-separated')
    .option('--variant <ids>', 'only records that got one of these variants, comma-separated')
    .description('List the records of a batch call')
    .action(async (batch: string, flags: RecordFilters) => (await records()).listRecords(batch, flags));
  const named = (name: string): Command =>
    asksService(record.command(name).argument('<batch>', 'its id, batch_…').argument('<record>', 'its id, rec_…'));
  named('skip')
    .description('Do not call one who was not called yet, or who waits for a retry')
    .action(async (batch: string, id: string, flags: ClientFlags) =>
      (await records()).steerRecord('batchCalls.skipRecord', batch, id, flags),
    );
  named('set')
    .option('--priority <n>', '1 is called first, 9 last; none', numberOrNone(9))
    .option('--not-before <time>', 'not called before: "2027-01-31 18:00"; none')
    .option('-f, --field <name=value>', 'what the agent is told, in place of all that it was; none', several)
    .description('Change one who was not called yet')
    .action(async (batch: string, id: string, flags: RecordChanges) => (await records()).setRecord(batch, id, flags));
  named('call-again')
    .description('Call one whose call is over once more, while the batch call runs')
    .action(async (batch: string, id: string, flags: ClientFlags) =>
      (await records()).steerRecord('batchCalls.callRecordAgain', batch, id, flags),
    );
  named('callback')
    .argument('<time>', '"2027-01-31 18:00", with a time zone behind it if not of here, or 2027-01-31T18:00Z')
    .description('Promise a call at a certain time')
    .action(async (batch: string, id: string, at: string, flags: ClientFlags) =>
      (await records()).callBack(batch, id, at, flags),
    );
}

function exportCommand(batch: Command): void {
  namesService(batch.command('export').argument('<batch>', 'its id, batch_…'))
    .option('--to <file>', 'write it there (default: standard output)')
    .option('--status <names>', 'only records in these statuses, comma-separated')
    .option('--reason <names>', 'only records with these reasons, comma-separated')
    .option('--variant <ids>', 'only records that got one of these variants, comma-separated')
    .option('--duration <range>', 'only those that talked so many seconds: 30-120, 60- or -10')
    .option('--search <text>', 'part of the number or of any value of the row')
    .option('--include <names>', 'further columns that the API can add, comma-separated')
    .description('Export the records of a batch call as CSV')
    .action(async (id: string, flags: ExportFlags) => (await steer()).exportBatch(id, flags));
}

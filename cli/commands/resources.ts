import type { Command } from 'commander';
import type { CallListFlags, MakeFlags, TransferFlags } from '../client/calls.js';
import type { DoNotCallFlags } from '../client/do-not-call.js';
import type { PlayFlags } from '../client/recording.js';
import { gatewayCommands } from './gateways.js';
import {
  asksService,
  type ClientFlags,
  limited,
  listing,
  type Listing,
  namesService,
  several,
} from './service-options.js';
import { numberCommands, ruleCommands } from './trunks.js';

const calls = async () => import('../client/calls.js');

/** Calls, the do-not-call list, trunks and webhook deliveries over the API. */
export function resourceCommands(program: Command): void {
  callCommands(program.command('call').description('Calls: make, list, read, transfer, end'));
  doNotCallCommands(program.command('dnc').description('The do-not-call list of the account'));
  gatewayCommands(program);
  numberCommands(program);
  ruleCommands(program);
  deliveryCommands(program.command('deliveries').description('Webhooks of a batch call'));
}

function callCommands(call: Command): void {
  const named = (name: string): Command => asksService(call.command(name).argument('<call>', 'its id, call_…'));
  asksService(call.command('make').argument('<number>', 'number to call, E.164'))
    .requiredOption('--from <number>', 'number to call from')
    .option('--rule <id>', 'outbound routing rule (default: the oldest of the number)')
    .option('-f, --field <name=value>', 'what the agent is told', several)
    .option('--wait', 'wait until it is over and print what was said; ends with 1 if nobody was reached')
    .option('--idempotency-key <text>', 'text of yours: repeated within 24 hours, the command calls nobody again')
    .description('Call a number now')
    .action(async (to: string, flags: MakeFlags) => (await calls()).makeCall(to, flags));
  listing(call)
    .option('--status <names>', 'only those in these statuses, comma-separated')
    .option('--batch <id>', 'only those of this batch call')
    .option('--agent <id>', 'only those of this agent')
    .option('--duration <range>', 'only those that talked so many seconds: 30-120, 60- or -10')
    .option('--recorded', 'only those with a recording')
    .option('--unrecorded', 'only those without one')
    .option('--transcript <words>', 'words that were said: all of them, "in one piece", or between alternatives, -not')
    .option('--search <text>', 'part of a number')
    .description('List calls, newest first')
    .action(async (flags: CallListFlags) => (await calls()).listCalls(flags));
  named('show')
    .description('Print a call with its attempts, and what it came to')
    .action(async (id: string, flags: ClientFlags) => (await calls()).showCall(id, flags));
  named('transcript')
    .description('Print what was said')
    .action(async (id: string, flags: ClientFlags) => (await calls()).printTranscript(id, flags));
  namesService(call.command('play').argument('<call>', 'its id, call_…'))
    .option('--to <file>', 'keep it there, as Ogg with Opus')
    .option('--player <command>', 'program that plays what it reads (default: ffplay, mpv or play, whichever is there)')
    .description('Play the recording of a call; in a pipe, write it to standard output')
    .action(async (id: string, flags: PlayFlags) => (await import('../client/recording.js')).playCall(id, flags));
  named('transfer')
    .argument('<target>', 'number to hand it over to, E.164; without --warm also a sip: address')
    .option('--warm', 'the callee waits while the agent speaks with the target, which takes the call or not')
    .option('--wait', 'wait until it is known how it went; ends with 1 if the target has not taken the call')
    .description('Hand a live call over to somebody else')
    .action(async (id: string, to: string, flags: TransferFlags) => (await calls()).transferCall(id, to, flags));
  named('end')
    .description('Hang a call up')
    .action(async (id: string, flags: ClientFlags) => (await calls()).endCall(id, flags));
  named('whisper')
    .argument('<text>', 'what the agent is told; the callee does not hear it')
    .option('--now', 'the agent speaks at once, also in the middle of words')
    .description('Tell the agent of a live call something')
    .action(async (id: string, text: string, flags: ClientFlags & { now?: true }) =>
      (await calls()).whisper(id, text, flags),
    );
}

function doNotCallCommands(dnc: Command): void {
  const list = async () => import('../client/do-not-call.js');
  asksService(dnc.command('add').argument('[numbers...]', 'E.164'))
    .option('--file <file>', '.csv, .xls or .xlsx with a column phone_number')
    .option('--reason <text>', 'why, for readers of the list')
    .description('Add numbers: nobody of the account calls them any more')
    .action(async (numbers: string[], flags: DoNotCallFlags) => (await list()).addNumbers(numbers, flags));
  listing(dnc)
    .option('--search <text>', 'part of the number')
    .description('List numbers')
    .action(async (flags: Listing) => (await list()).listNumbers(flags));
  asksService(dnc.command('remove').argument('<numbers...>', 'E.164'))
    .description('Take numbers off the list')
    .action(async (numbers: string[], flags: ClientFlags) => (await list()).removeNumbers(numbers, flags));
}

function deliveryCommands(deliveries: Command): void {
  const of = async () => import('../client/deliveries.js');
  asksService(limited(deliveries.command('list').argument('<batch>', 'its id, batch_…')))
    .description('List webhook deliveries of a batch call')
    .action(async (id: string, flags: Listing) => (await of()).listDeliveries(id, flags));
  asksService(deliveries.command('resend').argument('<batch>', 'its id').argument('<delivery>', 'whd_…'))
    .description('Deliver a webhook again')
    .action(async (batch: string, id: string, flags: ClientFlags) => (await of()).resendDelivery(batch, id, flags));
}

import { type Command, Option } from 'commander';
import type { CallListFlags, MakeFlags } from '../client/calls.js';
import type { DoNotCallFlags } from '../client/do-not-call.js';
import { asksService, type ClientFlags, limited, several } from './service-options.js';

type Listing = ClientFlags & { readonly limit: number; readonly search?: string };

const calls = async () => import('../client/calls.js');
const trunks = async () => import('../client/trunks.js');

const listing = (command: Command): Command => asksService(limited(command.command('list')));
const searched = (command: Command): Command =>
  listing(command).option('--search <text>', 'part of the name or number');

/** Calls, the do-not-call list, trunks and webhook deliveries over the API. */
export function resourceCommands(program: Command): void {
  callCommands(program.command('call').description('Calls: make, list, read, end'));
  doNotCallCommands(program.command('dnc').description('The do-not-call list of the account'));
  const gateway = program.command('gateway').description('Gateways: the SIP trunks that calls go by');
  searched(gateway)
    .description('List outbound and inbound gateways')
    .action(async (flags: Listing) => (await trunks()).listGateways(flags));
  asksService(gateway.command('check').argument('<gateway>', 'its id, gwo_… or gwi_…'))
    .description('Ask a gateway whether it answers; ends with 1 if it does not')
    .action(async (id: string, flags: ClientFlags) => (await trunks()).checkGateway(id, flags));
  searched(program.command('number').description('Phone numbers of the account'))
    .description('List phone numbers and their gateways')
    .action(async (flags: Listing) => (await trunks()).listNumbers(flags));
  searched(program.command('rule').description('Routing rules: which agent talks on calls of which number'))
    .addOption(new Option('--type <type>', 'only rules for these calls').choices(['inbound', 'outbound']))
    .description('List routing rules')
    .action(async (flags: Listing & { type?: string }) => (await trunks()).listRules(flags));
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
    .option('--search <text>', 'part of a number')
    .description('List calls, newest first')
    .action(async (flags: CallListFlags) => (await calls()).listCalls(flags));
  named('show')
    .description('Print a call with its attempts, and what it came to')
    .action(async (id: string, flags: ClientFlags) => (await calls()).showCall(id, flags));
  named('transcript')
    .description('Print what was said')
    .action(async (id: string, flags: ClientFlags) => (await calls()).printTranscript(id, flags));
  named('end')
    .description('Hang a call up')
    .action(async (id: string, flags: ClientFlags) => (await calls()).endCall(id, flags));
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

/** `outdial agent` runs a worker; its subcommands ask the API about agents. */
export function agentCommand(program: Command): void {
  const agents = async () => import('../client/agents.js');
  const agent = program
    .command('agent')
    .description(
      'Run a voice agent worker, which talks on the calls of one LiveKit; subcommands: list, show and deploy agents',
    )
    .action(async () => (await import('../roles/agent.js')).runAgentWorker());
  searched(agent)
    .addOption(new Option('--status <status>', 'only those that are').choices(['active', 'inactive']))
    .description('List agents')
    .action(async (flags: Listing & { status?: string }) => (await agents()).listAgents(flags));
  asksService(agent.command('show').argument('<agent>', 'its id, agt_…'))
    .description('Print an agent; -o json has its whole config')
    .action(async (id: string, flags: ClientFlags) => (await agents()).showAgent(id, flags));
  asksService(agent.command('deploy').argument('<agent>', 'its id, agt_…'))
    .option('--agent-version <id>', 'one of its versions (default: the latest)')
    .option('--region <name>', 'where (default: the first region of the service)')
    .description('Put a version of an agent live, and wait until it is')
    .action(async (id: string, flags: ClientFlags & { agentVersion?: string; region?: string }) =>
      (await agents()).deployAgent(id, flags),
    );
}

import { type Command, Option } from 'commander';
import type { NumberFlags, RuleFlags } from '../client/make-trunks.js';
import type { NumberChanges, RuleChanges } from '../client/trunks.js';
import { numberOrNone } from './numbers.js';
import { asksService, type ClientFlags, type Listing, searched, several } from './service-options.js';

const trunks = async () => import('../client/trunks.js');
const making = async () => import('../client/make-trunks.js');

/** `outdial number …` */
export function numberCommands(program: Command): void {
  const number = program.command('number').description('Phone numbers of the account');
  searched(number)
    .description('List phone numbers and their gateways')
    .action(async (flags: Listing) => (await trunks()).listNumbers(flags));
  const named = (name: string): Command =>
    asksService(number.command(name).argument('<number>', 'E.164, or its id, num_…'));
  named('show')
    .description('Print a number with its limits, what it has called and its gateways')
    .action(async (which: string, flags: ClientFlags) => (await trunks()).showNumber(which, flags));
  named('set')
    .option('--max-per-day <n>', 'most calls a day from this number; none', numberOrNone(1_000_000))
    .option('--min-seconds <n>', 'least seconds from one of its calls to the next; none', numberOrNone(86_400))
    .option('--name <name>', 'its name')
    .description('Limit how much a number calls, or name it')
    .action(async (which: string, flags: NumberChanges) => (await trunks()).setNumber(which, flags));
  asksService(number.command('create').argument('<numbers...>', 'E.164'))
    .requiredOption('--trunk <address>', 'host or host:port of the SIP trunk that they are on')
    .option('--name <name>', 'of the numbers and their gateways (default: the first number)')
    .addOption(
      new Option('--transport <how>', 'how the trunk is spoken to (default: tls)').choices(['udp', 'tcp', 'tls']),
    )
    .option('--user <name>', 'name that the trunk knows you by; its password is asked for, or read from standard input')
    .option('--srtp', 'require that sound is encrypted')
    .option('--region <name>', 'region of the service that calls go out of')
    .description('Register numbers of a SIP trunk, with a gateway for calls out and one for calls in')
    .action(async (numbers: string[], flags: NumberFlags) => (await making()).createNumbers(numbers, flags));
  numberRemovals(named);
}

/** `outdial number detach` and `release`, which take a number away. */
function numberRemovals(named: (name: string) => Command): void {
  named('detach')
    .option('--yes', 'do it without asking')
    .description('Take a number off its gateways; it stays on the account')
    .action(async (which: string, flags: ClientFlags & { yes?: true }) => (await trunks()).detachNumber(which, flags));
  named('release')
    .option('--yes', 'do it without asking')
    .description('Take a number off its gateways and off the account; its past calls stay')
    .action(async (which: string, flags: ClientFlags & { yes?: true }) => (await trunks()).releaseNumber(which, flags));
}

/** `outdial rule …` */
export function ruleCommands(program: Command): void {
  const rule = program.command('rule').description('Routing rules: which agent talks on calls of which number');
  const type = (words: string): Option => new Option('--type <type>', words).choices(['inbound', 'outbound']);
  searched(rule)
    .addOption(type('only rules for these calls'))
    .description('List routing rules')
    .action(async (flags: Listing & { type?: string }) => (await trunks()).listRules(flags));
  asksService(rule.command('create'))
    .requiredOption('--number <number>', 'number of the account, E.164; may be given several times', several)
    .option('--agent <id>', 'who talks on its calls (default: the only agent of the account)')
    .addOption(type('for calls out or calls in').default('outbound'))
    .option('--name <name>', 'name of the rule')
    .option('--record', 'record its calls')
    .description('Have an agent talk on calls of a number')
    .action(async (flags: RuleFlags) => (await making()).createRule(flags));
  const named = (name: string): Command => asksService(rule.command(name).argument('<rule>', 'its id, rule_…'));
  named('show')
    .description('Print a routing rule with all that is set')
    .action(async (id: string, flags: ClientFlags) => (await trunks()).showRule(id, flags));
  named('set')
    .option(
      '--number <number>',
      'number of the account, E.164; again for more of them: they are the whole list',
      several,
    )
    .option('--agent <id>', 'who talks on its calls from now on')
    .option('--name <name>', 'its name')
    .option('--record', 'record its calls')
    .option('--no-record', 'do not, unless the gateway does')
    .description('Change a routing rule; batch calls keep the agent that they were made with')
    .action(async (id: string, flags: RuleChanges) => (await trunks()).setRule(id, flags));
  named('delete')
    .option('--yes', 'delete it without asking')
    .description('Delete a routing rule that nothing uses; its numbers stay')
    .action(async (id: string, flags: ClientFlags & { yes?: true }) => (await trunks()).deleteRule(id, flags));
}

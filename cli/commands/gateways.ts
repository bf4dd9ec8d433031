import { Argument, type Command, Option } from 'commander';
import type { GatewayChanges, GatewayFlags } from '../client/gateways.js';
import { numberBetween } from './numbers.js';
import { asksService, type ClientFlags, type Listing, searched, several } from './service-options.js';

const gateways = async () => import('../client/gateways.js');

/** `outdial gateway …` */
export function gatewayCommands(program: Command): void {
  const gateway = program.command('gateway').description('Gateways: the SIP trunks that calls go by');
  const named = (name: string): Command =>
    asksService(gateway.command(name).argument('<gateway>', 'its id, gwo_… or gwi_…'));
  searched(gateway)
    .description('List outbound and inbound gateways')
    .action(async (flags: Listing) => (await gateways()).listGateways(flags));
  named('show')
    .description('Print a gateway with all that is set; never its password')
    .action(async (id: string, flags: ClientFlags) => (await gateways()).showGateway(id, flags));
  const direction = new Argument('<direction>', 'whether it takes calls to its numbers or dials from them');
  settings(asksService(gateway.command('create').addArgument(direction.choices(['outbound', 'inbound']))))
    .description('Make a gateway; numbers that the account does not have are registered')
    .action(async (which: 'outbound' | 'inbound', flags: GatewayFlags) =>
      (await gateways()).createGateway(which, flags),
    );
  settings(named('set'))
    .option('--new-password', 'another password for the user that it has: asked for, or read from standard input')
    .description('Change a gateway at once: running calls stay as they are; none takes a setting away')
    .action(async (id: string, flags: GatewayChanges) => (await gateways()).setGateway(id, flags));
  named('delete')
    .option('--yes', 'delete it without asking')
    .description('Delete a gateway by which no call goes; its numbers stay')
    .action(async (id: string, flags: ClientFlags & { yes?: true }) => (await gateways()).deleteGateway(id, flags));
  named('check')
    .description('Ask a gateway whether it answers; ends with 1 if it does not')
    .action(async (id: string, flags: ClientFlags) => (await gateways()).checkGateway(id, flags));
}

/** A number in a range, or none for the value that the service gives by itself. */
const orNone =
  (...range: Parameters<typeof numberBetween>) =>
  (text: string): number | 'none' =>
    text === 'none' ? text : numberBetween(...range)(text);

function settings(command: Command): Command {
  return command
    .option('--name <name>', 'its name (default of a new one: its first number)')
    .option(
      '--number <number>',
      'number that it serves, E.164; again for more of them: they are the whole list',
      several,
    )
    .option('--address <address>', 'host or host:port of the trunk')
    .addOption(
      new Option('--transport <how>', 'how the trunk is spoken to (default of an outbound one: tls)').choices([
        ...['udp', 'tcp', 'tls'],
        'none',
      ]),
    )
    .option('--user <name>', 'name at the trunk; its password is asked for, or read from standard input; none')
    .option('--srtp', 'require that sound is encrypted')
    .option('--no-srtp', 'do not require it')
    .option('--region <name>', 'region of the service that carries its calls; none')
    .option('--allow-address <address>', 'inbound: address or range that calls may come from; again; none', several)
    .option('--allow-number <number>', 'who may call in or be called by it: E.164, or +44*; again; none', several)
    .option('--record', 'record its calls')
    .option('--no-record', 'do not, unless a rule does')
    .option('--noise-cancellation', 'take noise out of what the agent hears')
    .option('--no-noise-cancellation', 'do not, unless a rule does')
    .option('--dtmf', 'hear and press keys')
    .option('--no-dtmf', 'do not, unless a rule does')
    .option('--max-concurrent <n>', 'outbound: most calls at once; none', orNone(1, 10_000))
    .option('--reserved <n>', 'outbound: lines that batch calls leave free; none', orNone(0, 9_999))
    .option('--per-second <n>', 'outbound: most calls started in a second; none', orNone(0.1, 200, false))
    .option('--ring-seconds <n>', 'outbound: how long a callee is let ring; none', orNone(15, 75))
    .option('--max-call-seconds <n>', 'outbound: after this a call is hung up; none', orNone(1, 86_400))
    .option('--from-host <host>', 'outbound: host of the From header; none')
    .option('--header <name=value>', 'outbound: SIP header of every INVITE; again; none', several)
    .addOption(
      new Option('--number-format <how>', 'outbound: how the trunk wants numbers written').choices([
        ...['e164', 'e164_without_plus', 'national'],
        'none',
      ]),
    )
    .option('--tag <word>', 'word of yours for it; again; none', several)
    .option('--metadata <json>', 'data of yours, a JSON object; none');
}

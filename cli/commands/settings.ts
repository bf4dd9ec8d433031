import type { Command } from 'commander';
import type { PriceFlags } from '../client/account/prices.js';
import type { SettingGroup } from '../client/account/settings.js';
import { asksService, type ClientFlags } from './service-options.js';

const settings = async () => import('../client/account/settings.js');

const prices = async () => import('../client/account/prices.js');

/** `outdial defaults …`, `outdial guardrails …` and `outdial prices …` */
export function settingCommands(program: Command): void {
  group(
    program,
    'defaults',
    'What new batch calls of the account have if they say nothing else',
    'timezone=America/New_York',
  );
  group(program, 'guardrails', 'Limits of every call of the account', "callingHours='09:00-20:00 mon-sat'");
  priceCommands(program.command('prices').description('What a minute costs, by gateway and country of the callee'));
}

function priceCommands(command: Command): void {
  asksService(command.command('show'))
    .description('Print them')
    .action(async (flags: ClientFlags) => (await prices()).showPrices(flags));
  asksService(
    command
      .command('set')
      .argument('[prices...]', 'any=0.02, IN=0.0085/30 in steps of 30 s, gwo_…/IN=0.007/6/30 with at least 30 s'),
  )
    .description('Set some of them; the others stay as they are')
    .option('--currency <code>', 'of all prices and costs, such as USD; it stays once a call has been priced')
    .option('--file <path>', 'all of them, as JSON of PUT /v1/account/prices; - is standard input')
    .action(async (given: string[], flags: PriceFlags) => (await prices()).setPrices(given, flags));
  asksService(command.command('unset').argument('<calls...>', 'such as IN, gwo_…/IN or any'))
    .description('Remove some of them')
    .action(async (names: string[], flags: ClientFlags) => (await prices()).unsetPrices(names, flags));
}

function group(program: Command, name: SettingGroup, description: string, example: string): void {
  const command = program.command(name).description(description);
  asksService(command.command('show'))
    .description('Print them')
    .action(async (flags: ClientFlags) => (await settings()).showSettings(name, flags));
  asksService(command.command('set').argument('<name=value...>', `such as ${example}`))
    .description('Change some of them; the others stay as they are')
    .action(async (given: string[], flags: ClientFlags) => (await settings()).setSettings(name, given, flags));
  asksService(command.command('unset').argument('<names...>', 'fields that go back to what they are by themselves'))
    .description('Take some of them back')
    .action(async (names: string[], flags: ClientFlags) => (await settings()).unsetSettings(name, names, flags));
}

import type { Command } from 'commander';
import type { SettingGroup } from '../client/account/settings.js';
import { asksService, type ClientFlags } from './service-options.js';

const settings = async () => import('../client/account/settings.js');

/** `outdial defaults …` and `outdial guardrails …` */
export function settingCommands(program: Command): void {
  group(
    program,
    'defaults',
    'What new batch calls of the account have if they say nothing else',
    'timezone=America/New_York',
  );
  group(program, 'guardrails', 'Limits of every call of the account', "callingHours='09:00-20:00 mon-sat'");
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

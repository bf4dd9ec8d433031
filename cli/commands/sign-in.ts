import type { Command } from 'commander';
import { asksService, type ClientFlags } from './service-options.js';

export interface LoginFlags {
  readonly url: string;
  readonly profile: string;
  readonly key?: string;
}

/** Profiles: which services a user asks, and with what. */
export function signInCommands(program: Command): void {
  program
    .command('login')
    .description('Sign in to a service; the token is asked for, or read from standard input, and kept as a profile')
    .requiredOption('--url <address>', 'address of the service, such as https://calls.example.com')
    .option('--profile <name>', 'name to keep it by', 'default')
    .option('--key <id>', 'read the secret of this key, key_…, instead of a token; each command then signs its own')
    .action(async (flags: LoginFlags) => (await import('../client/sign-in.js')).signIn(flags));
  program
    .command('logout')
    .description('Forget a profile; the token itself goes on working until it is revoked')
    .option('--profile <name>', 'name of the profile (default: the current one)')
    .action(async ({ profile }: { profile?: string }) => (await import('../client/sign-in.js')).signOut(profile));
  const profiles = program.command('profile').description('Services that `outdial login` has signed in to');
  asksService(profiles.command('list'))
    .description('List profiles; an asterisk marks the current one')
    .action(async (flags: ClientFlags) => (await import('../client/sign-in.js')).listProfiles(flags));
  profiles
    .command('use')
    .argument('<name>')
    .description('Make a profile the current one')
    .action(async (name: string) => (await import('../client/sign-in.js')).useProfile(name));
  asksService(program.command('whoami'))
    .description('Print which service commands ask from here, and as which account')
    .action(async (flags: ClientFlags) => (await import('../client/sign-in.js')).printAccount(flags));
}

import { type Command, Option } from 'commander';
import type { ServiceFlags } from '../client/connection.js';
import type { OutputFlags } from '../client/output.js';
import { numberBetween } from './numbers.js';

/** Flags of every command that asks the API. */
export type ClientFlags = ServiceFlags & OutputFlags;

/** Adds the options by which a command finds the service and prints what it answers. */
export const asksService = (command: Command): Command =>
  namesService(command)
    .addOption(new Option('-o, --output <form>', 'how to print it').choices(['table', 'json', 'csv']).default('table'))
    .option('-q, --quiet', 'print ids only, one on a line');

/** Adds the options by which a command finds the service. */
export const namesService = (command: Command): Command =>
  command
    .option('--profile <name>', 'ask the service of this profile (`outdial login`)')
    .option('--data <folder>', 'ask the `outdial up` that keeps its data here');

/** Adds how many rows a list prints. */
export const limited = (command: Command): Command =>
  command.option('--limit <n>', 'print at most this many', numberBetween(1, 1_000_000), 50);

/** Collects an option that may be given several times. */
export const several = (text: string, before: readonly string[] = []): readonly string[] => [...before, text];

/** Flags of a list. */
export type Listing = ClientFlags & { readonly limit: number; readonly search?: string };

/** The subcommand `list`. */
export const listing = (command: Command): Command => asksService(limited(command.command('list')));

/** The subcommand `list`, with a search by name or number. */
export const searched = (command: Command): Command =>
  listing(command).option('--search <text>', 'part of the name or number');

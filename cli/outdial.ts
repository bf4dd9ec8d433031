#!/usr/bin/env node
import type { Command } from 'commander';
import { checkedArguments, endOf, hintAtHelp } from './command-line.js';
import { createServiceProgram } from './service-program.js';
import { endWithStandardOutput } from './standard-output.js';

/**
 * The program with the command that is asked for. The commands of the operator import the code of the database, which takes
 * longer to load than most commands take to run: it is loaded for these, for what lists all commands, and for unknown words.
 */
async function programFor([first]: readonly string[]): Promise<Command> {
  const program = createServiceProgram();
  const isService = first !== 'completion' && program.commands.some((command) => command.name() === first);
  const isVersion = first === '--version' || first === '-V';
  if (!isService && !isVersion) return (await import('./program.js')).createProgram();
  hintAtHelp(program);
  return program;
}

endWithStandardOutput();
const words = process.argv.slice(2);
const program = await programFor(words);
try {
  await program.parseAsync(checkedArguments(program, words), { from: 'user' });
} catch (error) {
  const { exitCode, message } = endOf(error);
  if (message !== undefined) console.error(message);
  // An open connection must not keep a failed process alive.
  process.exit(exitCode);
}

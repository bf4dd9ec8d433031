import { type Command, CommanderError } from 'commander';
import { CommandFailed, exitCodes } from './client/exit-codes.js';

const asksForHelp = (word: string): boolean => word === '--help' || word === '-h';

/** Each error of a command ends with a hint to the help of that command, not of the whole program. */
export function hintAtHelp(command: Command, path = command.name()): void {
  const what = command.commands.length > 0 ? 'lists the commands' : 'tells what it takes';
  command.showHelpAfterError(`(${path} --help ${what})`);
  for (const each of command.commands) hintAtHelp(each, `${path} ${each.name()}`);
}

/**
 * The arguments after the program's name as commander should read them: `help account create` as `account create --help`.
 * Commander answers a question for help with exit code 0 also for what does not exist; here such a question is an error.
 * If a command does not exist, the words after its name are dropped: commander then refuses it and suggests a similar one.
 * Does not return if an option beside --help is unknown.
 */
export function checkedArguments(program: Command, args: readonly string[]): readonly string[] {
  const words = args[0] === 'help' ? [...args.slice(1), '--help'] : args;
  if (!words.some(asksForHelp)) return words;
  let command = program;
  let rest = [...words];
  const path: string[] = [];
  while (command.commands.length > 0) {
    const place = rest.findIndex((word) => !word.startsWith('-'));
    const name = rest[place];
    if (name === undefined) break;
    const found = command.commands.find((each) => each.name() === name);
    path.push(name);
    if (found === undefined) return path;
    command = found;
    rest = rest.toSpliced(place, 1);
  }
  const unknown = command.parseOptions(rest).unknown.find((word) => word.startsWith('-') && !asksForHelp(word));
  if (unknown !== undefined) return command.error(`error: unknown option '${unknown}'`);
  return words;
}

/**
 * How the process ends after an error: its exit code, and what is still to be said.
 *
 * @returns message undefined if commander has printed it, or has printed help
 */
export function endOf(error: unknown): { readonly exitCode: number; readonly message?: string } {
  if (error instanceof CommanderError) return { exitCode: error.exitCode === 0 ? exitCodes.done : exitCodes.usage };
  const exitCode = error instanceof CommandFailed ? error.exitCode : exitCodes.failed;
  // OUTDIAL_LOG_LEVEL=debug shows the stack as well.
  const debug = process.env.OUTDIAL_LOG_LEVEL === 'debug' && error instanceof Error;
  const words = debug ? (error.stack ?? error.message) : wordsOf(error);
  return { exitCode, message: `outdial: ${words}` };
}

function wordsOf(error: unknown): string {
  // Only developers need to know what is wrong with the answer: OUTDIAL_LOG_LEVEL=debug shows it.
  if (error instanceof Error && error.name === 'ZodError') {
    return 'The answer is not what this version of outdial knows. Is it another version, or no Outdial?';
  }
  return error instanceof Error ? error.message : String(error);
}

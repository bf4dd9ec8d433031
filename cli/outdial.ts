#!/usr/bin/env node
import { checkedArguments, endOf } from './command-line.js';
import { createProgram } from './program.js';

const program = createProgram();
try {
  await program.parseAsync(checkedArguments(program, process.argv.slice(2)), { from: 'user' });
} catch (error) {
  const { exitCode, message } = endOf(error);
  if (message !== undefined) console.error(message);
  // An open connection must not keep a failed process alive.
  process.exit(exitCode);
}

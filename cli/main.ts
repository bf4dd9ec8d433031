#!/usr/bin/env node
import { checkedArguments } from './command-line.js';
import { createProgram } from './program.js';

const program = createProgram();
try {
  await program.parseAsync(checkedArguments(program, process.argv.slice(2)), { from: 'user' });
} catch (error) {
  // A message for the user; OUTDIAL_LOG_LEVEL=debug shows the stack as well.
  const debug = process.env.OUTDIAL_LOG_LEVEL === 'debug' && error instanceof Error;
  console.error(
    `outdial: ${debug ? (error.stack ?? error.message) : error instanceof Error ? error.message : String(error)}`,
  );
  // An open connection must not keep a failed process alive.
  process.exit(1);
}

#!/usr/bin/env node
import { checkedArguments } from './command-line.js';
import { createProgram } from './program.js';

const program = createProgram();
try {
  await program.parseAsync(checkedArguments(program, process.argv.slice(2)), { from: 'user' });
} catch (error) {
  // Words for whoever typed the command; OUTDIAL_LOG_LEVEL=debug shows where it came from.
  const debug = process.env.OUTDIAL_LOG_LEVEL === 'debug' && error instanceof Error;
  console.error(
    `outdial: ${debug ? (error.stack ?? error.message) : error instanceof Error ? error.message : String(error)}`,
  );
  // What is half open must not keep a process that has failed.
  process.exit(1);
}

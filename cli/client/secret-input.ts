import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { CommandFailed, exitCodes, wrongUsage } from './exit-codes.js';

/**
 * Reads a secret: on a terminal it is asked for and not shown, otherwise it is the whole of standard input. It is never an
 * argument, which every process of the machine could read.
 *
 * @param mayHaveSpaces whether spaces may be in it; those around it are taken off
 */
export async function readSecret(what: string, { mayHaveSpaces = false } = {}): Promise<string> {
  const given = (process.stdin.isTTY ? await askFor(what) : await text(process.stdin)).trim();
  if (given === '')
    throw wrongUsage(`No ${what.toLowerCase()} was given: write it to standard input, or run this in a terminal.`);
  if (/[\r\n]/.test(given) || (!mayHaveSpaces && /\s/.test(given)))
    throw wrongUsage(`This is no ${what.toLowerCase()}: it has spaces or line breaks in it.`);
  return given;
}

async function askFor(what: string): Promise<string> {
  const unseen = new Writable({ write: (_chunk, _encoding, done) => done() });
  const terminal = createInterface({ input: process.stdin, output: unseen, terminal: true });
  const stop = new AbortController();
  terminal.once('SIGINT', () => stop.abort());
  terminal.once('close', () => stop.abort());
  process.stderr.write(`${what} (not shown): `);
  try {
    return await terminal.question('', { signal: stop.signal });
  } catch (error) {
    throw stop.signal.aborted ? new CommandFailed(exitCodes.interrupted, 'Nothing was changed.') : error;
  } finally {
    process.stderr.write('\n');
    terminal.close();
  }
}

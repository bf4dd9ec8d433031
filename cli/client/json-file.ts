import { text } from 'node:stream/consumers';
import { wrongUsage } from './exit-codes.js';
import { readGiven } from './request.js';

/** The JSON of a file, or of standard input for `-`. @throws CommandFailed that names the file and the place */
export async function readJson(path: string): Promise<unknown> {
  const given = path === '-' ? await text(process.stdin) : readGiven(path);
  try {
    return JSON.parse(given);
  } catch (error) {
    const place = error instanceof Error ? `: ${error.message}` : '';
    throw wrongUsage(`${path === '-' ? 'Standard input' : path} is not valid JSON${place}`);
  }
}

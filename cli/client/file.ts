import { createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { CommandFailed, exitCodes } from './exit-codes.js';

const words: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such folder',
  ENOTDIR: 'there is no such folder',
  EISDIR: 'it is a folder',
  EACCES: 'you may not write there',
  EROFS: 'nothing can be written there',
  EPERM: 'it belongs to another user',
  ELOOP: 'its links lead in a circle',
  ENOSPC: 'no space is left there',
};

/** Why a file or its folder cannot be written, for a person. */
export const unwritableWords = (error: NodeJS.ErrnoException): string => words[error.code ?? ''] ?? error.message;

/**
 * Writes what the service sends to a file that its owner alone can read: people's numbers and voices are in it.
 *
 * @throws CommandFailed that names the file
 */
export async function writeFile(path: string, content: AsyncIterable<Uint8Array>): Promise<void> {
  const file = createWriteStream(path, { mode: 0o600 });
  let trouble: NodeJS.ErrnoException | undefined;
  file.once('error', (error) => (trouble = error));
  await pipeline(content, file).catch((error: unknown) => {
    if (trouble === undefined || error !== trouble) throw error;
    const why = unwritableWords(trouble);
    throw new CommandFailed(exitCodes.failed, `${path} cannot be written: ${why}.`, { cause: error });
  });
}

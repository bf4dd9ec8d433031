import { spawn } from 'node:child_process';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ServiceFlags } from './connection.js';
import { clientOf, piecesOf } from './client.js';
import { CommandFailed, exitCodes } from './exit-codes.js';
import { writeFile } from './file.js';

export interface PlayFlags extends ServiceFlags {
  readonly to?: string;
  readonly player?: string;
}

/** Players that read Ogg with Opus from their standard input, the first of which is used that is there. */
const players = ['ffplay -nodisp -autoexit -loglevel error -', 'mpv --no-video --really-quiet -', 'play -q -t ogg -'];

/** `outdial call play`: into a file, into a pipe, or through a player of this machine. */
export async function playCall(callId: string, { to, player, ...flags }: PlayFlags): Promise<void> {
  const client = await clientOf(flags);
  const answer = await client.open('calls.getRecording', { path: { callId } });
  const sound = Readable.from(piecesOf(answer, client.connection.url), { objectMode: false });
  if (to !== undefined) {
    await writeFile(to, sound);
    console.error(`${to} is the recording of ${callId}.`);
    return;
  }
  if (player === undefined && !process.stdout.isTTY) {
    await pipeline(sound, process.stdout, { end: false });
    return;
  }
  for (const command of player === undefined ? players : [player]) {
    if (await played(sound, command)) return;
  }
  const what = player === undefined ? 'ffplay (of ffmpeg), mpv or play (of sox)' : `the program ${player}`;
  throw new CommandFailed(exitCodes.failed, `This machine has not got ${what}. Keep the recording with --to FILE.`);
}

/** @returns false if there is no such program; the sound is untouched then */
async function played(sound: Readable, command: string): Promise<boolean> {
  const [program = '', ...args] = command.split(/\s+/).filter((word) => word !== '');
  const child = spawn(program, args, { stdio: ['pipe', 'inherit', 'inherit'] });
  const started = await new Promise<boolean>((resolve, reject) => {
    child.once('spawn', () => resolve(true));
    child.once('error', (error) => ('code' in error && error.code === 'ENOENT' ? resolve(false) : reject(error)));
  });
  if (!started) return false;
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  // Whoever closes the player has heard enough.
  await pipeline(sound, child.stdin).catch(() => undefined);
  const code = await ended;
  if (code !== 0) throw new CommandFailed(exitCodes.failed, `${program} ended with ${code ?? 'a signal'}.`);
  return true;
}

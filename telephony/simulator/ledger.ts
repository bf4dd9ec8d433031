import { open, type FileHandle } from 'node:fs/promises';
import { z } from 'zod';

/**
 * One line of the ledger. `invite`, `ringing`, `answered`, `rejected` (a final response other than 200) and `ended` are a
 * leg's course, `refer` a transfer asked for and `refer_failed` one that its target did not take; `target_…` is the course of a
 * telephone that a warm transfer calls. `fenced` promises that a
 * reference will never be dialed, `refused` is a dial that met such a promise (no INVITE), `violation` a promise or limit
 * that the dialing side broke, `started` a start of the carrier.
 */
export const LedgerLine = z.object({
  at: z.string(),
  event: z.enum([
    'invite',
    'ringing',
    'answered',
    'ended',
    'rejected',
    'refer',
    'refer_failed',
    'target_invite',
    'target_answered',
    'target_joined',
    'target_ended',
    'fenced',
    'refused',
    'violation',
    'started',
  ]),
  to: z.string().exactOptional(),
  from: z.string().exactOptional(),
  room: z.string().exactOptional(),
  callId: z.string().exactOptional(),
  attempt: z.number().exactOptional(),
  invite: z.number().exactOptional(),
  gatewayId: z.string().exactOptional(),
  disclosure: z.string().exactOptional(),
  transferTo: z.string().exactOptional(),
  transferId: z.string().exactOptional(),
  sipStatusCode: z.number().exactOptional(),
  sipPhrase: z.string().exactOptional(),
  how: z.string().exactOptional(),
  rang: z.boolean().exactOptional(),
  reason: z.string().exactOptional(),
  answeredAt: z.string().exactOptional(),
  answeredBy: z.enum(['human', 'machine', 'unknown']).exactOptional(),
  callbackAfterSeconds: z.number().exactOptional(),
  agrees: z.boolean().exactOptional(),
  speed: z.number().exactOptional(),
  simulated: z.literal(true),
});
export type LedgerLine = z.infer<typeof LedgerLine>;

export interface Ledger {
  /**
   * Adds a line; `written` runs when the write of it is complete. Lines that arrive while one write is under way go out
   * together with the next, so hundreds a second cost a few writes. Not fsynced: a killed process loses nothing that
   * was answered, a power failure may.
   *
   * @returns the line's place in the file, for `lineAt`
   */
  append(line: LedgerLine, written?: () => void): number;
  /** Reads back a line that was appended; waits for its write. */
  lineAt(offset: number): Promise<LedgerLine>;
  /** Resolves when all that was appended so far is written. */
  settled(): Promise<void>;
  readonly path: string;
  close(): Promise<void>;
}

/** Opens the ledger for appending, and makes it if it is missing. A line torn by a crash is closed, so that the next is whole. */
export async function openLedger(path: string): Promise<Ledger> {
  const file = await open(path, 'a+', 0o600);
  const { size: found } = await file.stat();
  const torn = found > 0 && !(await endsWithNewline(file, found));

  let size = found;
  let lines: string[] = [];
  let waiting: (() => void)[] = [];
  let writing: Promise<void> | undefined;

  async function writeAll(): Promise<void> {
    // One turn of the event loop later: what arrived in the same turn shares the write.
    await new Promise((resolve) => setImmediate(resolve));
    while (lines.length > 0) {
      const bytes = Buffer.from(lines.join(''));
      const told = waiting;
      lines = [];
      waiting = [];
      for (let done = 0; done < bytes.length;) done += (await file.write(bytes, done)).bytesWritten;
      for (const tell of told) tell();
    }
    writing = undefined;
  }

  const add = (text: string): void => {
    lines.push(text);
    size += Buffer.byteLength(text);
    // A carrier that cannot write its ledger proves nothing: the rejection ends the process.
    writing ??= writeAll();
  };
  if (torn) add('\n');

  return {
    path,
    append(line, written) {
      const offset = size;
      if (written) waiting.push(written);
      add(`${JSON.stringify(line)}\n`);
      return offset;
    },
    async lineAt(offset) {
      await writing;
      const block = Buffer.alloc(4096);
      const { bytesRead } = await file.read(block, 0, block.length, offset);
      const text = block.toString('utf8', 0, bytesRead);
      return LedgerLine.parse(JSON.parse(text.slice(0, text.indexOf('\n'))));
    },
    async settled() {
      await writing;
    },
    async close() {
      await writing;
      await file.close();
    },
  };
}

async function endsWithNewline(file: FileHandle, size: number): Promise<boolean> {
  const last = Buffer.alloc(1);
  await file.read(last, 0, 1, size - 1);
  return last[0] === 0x0a;
}

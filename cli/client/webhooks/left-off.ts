import { mkdirSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { identify, isRunning } from '../../../embedded/process-identity.js';
import { writeWhole } from '../../../embedded/whole-file.js';

const Entry = z.object({
  /** The id to go on from. */
  after: z.string(),
  /** Ids that were posted since a little before it. */
  posted: z.array(z.string()),
  forwardTo: z.string(),
  /** The `outdial listen` that wrote it. */
  by: z.object({ pid: z.number(), startedAt: z.string() }),
});
const Entries = z.record(z.string(), Entry);

/** How far `outdial listen` has come with the webhooks of one account. */
export type LeftOff = Omit<z.infer<typeof Entry>, 'by'>;

const folder = (): string => {
  const { XDG_STATE_HOME: state } = process.env;
  return join(state === undefined || state === '' ? join(homedir(), '.local', 'state') : state, 'outdial');
};
const path = (): string => join(folder(), 'listen.json');

function entries(): z.infer<typeof Entries> {
  try {
    return Entries.parse(JSON.parse(readFileSync(path(), 'utf8')));
  } catch {
    return {}; // nobody has listened yet
  }
}

/** Where listening to this account ended, if it ever was. @param account of one service: its address and the account's id */
export const leftOff = (account: string): LeftOff | undefined => entries()[account];

/** Writes down how far this process has come. */
export function keepLeftOff(account: string, state: LeftOff): void {
  mkdirSync(folder(), { recursive: true, mode: 0o700 });
  const all = { ...entries(), [account]: { ...state, by: identify(process.pid) } };
  writeWhole(path(), `${JSON.stringify(all, null, 2)}\n`, 0o600);
}

/** Where an `outdial listen` that runs now posts to. */
export function listensAt(account: string): string | undefined {
  const entry = entries()[account];
  return entry !== undefined && isRunning(entry.by) ? entry.forwardTo : undefined;
}

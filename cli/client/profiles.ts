import { chmodSync, mkdirSync, readFileSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { z } from 'zod';
import { type DataLock, takeLock } from '../../embedded/data-lock.js';
import { writeWhole } from '../../embedded/whole-file.js';
import { CommandFailed, exitCodes, wrongUsage } from './exit-codes.js';
import { unwritableWords } from './file.js';

const WithToken = z.strictObject({ url: z.string(), token: z.string() });
/** Tokens are signed with the key's secret when they are needed, and live for minutes. */
const WithKey = z.strictObject({ url: z.string(), keyId: z.string(), secret: z.string() });
const Profile = z.union([WithToken, WithKey]);
export type Profile = z.infer<typeof Profile>;

const Profiles = z.strictObject({
  /** The profile that commands use if they name none. */
  current: z.string().nullable(),
  profiles: z.record(z.string(), Profile),
});
type Profiles = z.infer<typeof Profiles>;

const folderOf = (env: Readonly<Record<string, string | undefined>>): string => {
  const { XDG_CONFIG_HOME: config } = env;
  return join(config === undefined || config === '' ? join(homedir(), '.config') : config, 'outdial');
};

/** The file that keeps the profiles of this user, readable by its owner alone. */
export const profilesPath = (env: Readonly<Record<string, string | undefined>> = process.env): string =>
  join(folderOf(env), 'profiles.json');

const isErrno = (error: unknown): error is NodeJS.ErrnoException => error instanceof Error && 'code' in error;

const elsewhere = 'Mend that, or name another folder with XDG_CONFIG_HOME.';

const unreadable: Readonly<Record<string, string>> = {
  ENOTDIR: 'a part of its path is no folder',
  EACCES: 'you may not read it',
  ELOOP: 'its links lead in a circle',
};

/** @throws CommandFailed if the file cannot be read, is readable by others, or is not one of ours */
export function readProfiles(): Profiles {
  const path = profilesPath();
  let text: string;
  try {
    const found = statSync(path);
    if (!found.isFile()) throw new CommandFailed(exitCodes.failed, `${path} is no file. ${elsewhere}`);
    if ((found.mode & 0o077) !== 0) {
      throw new CommandFailed(
        exitCodes.notAllowed,
        `${path} holds tokens and others can read it. Run: chmod 600 ${path}`,
      );
    }
    text = readFileSync(path, 'utf8');
  } catch (error) {
    if (error instanceof CommandFailed || !isErrno(error)) throw error;
    if (error.code === 'ENOENT') return { current: null, profiles: {} };
    const why = unreadable[error.code ?? ''] ?? error.message;
    throw new CommandFailed(exitCodes.failed, `${path} cannot be read: ${why}. ${elsewhere}`, { cause: error });
  }
  const parsed = Profiles.safeParse(jsonOf(text));
  if (parsed.success) return parsed.data;
  // What is wrong in it is not shown: it holds tokens.
  throw new CommandFailed(exitCodes.failed, `${path} cannot be read. Delete it and run \`outdial login\` again.`);
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Another command holds the file for a few milliseconds. */
const lockedWithinMs = 5_000;
const askAgainMs = 20;

/** Waits for a command that changes the profiles at this moment. */
async function lockProfiles(): Promise<DataLock> {
  const lock = `${profilesPath()}.lock`;
  const until = Date.now() + lockedWithinMs;
  for (;;) {
    const taken = takeLock(lock);
    if (!('pid' in taken)) return taken;
    if (Date.now() < until) {
      await delay(askAgainMs);
      continue;
    }
    const words = `Process ${taken.pid} has been changing the profiles for ${lockedWithinMs / 1_000} seconds`;
    throw new CommandFailed(exitCodes.unavailable, `${words} (${lock}). Try again once it has ended.`);
  }
}

/** Changes the profiles as they are now: of two commands at once, each sees what the other has kept. */
async function changeProfiles(change: (kept: Profiles) => Profiles): Promise<void> {
  const path = profilesPath();
  const folder = folderOf(process.env);
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    chmodSync(folder, 0o700); // one that was there already may be open to others
    const lock = await lockProfiles();
    try {
      writeWhole(path, `${JSON.stringify(change(readProfiles()), null, 2)}\n`, 0o600);
    } finally {
      lock.release();
    }
  } catch (error) {
    if (error instanceof CommandFailed || !isErrno(error)) throw error;
    const words = `${path} cannot be written: ${unwritableWords(error)}. ${elsewhere}`;
    throw new CommandFailed(exitCodes.failed, words, { cause: error });
  }
}

/** Keeps a profile and makes it the one that commands use. */
export async function keepProfile(name: string, profile: Profile): Promise<void> {
  await changeProfiles(({ profiles }) => ({ current: name, profiles: { ...profiles, [name]: profile } }));
}

/** Makes a profile the one that commands use if they name none. */
export async function chooseProfile(name: string): Promise<void> {
  profileNamed(name);
  await changeProfiles((kept) => {
    profileIn(kept, name);
    return { ...kept, current: name };
  });
}

/** Forgets a profile. If it was the current one, there is none afterwards. */
export async function dropProfile(name: string): Promise<void> {
  profileNamed(name);
  await changeProfiles((kept) => {
    profileIn(kept, name);
    const others = Object.fromEntries(Object.entries(kept.profiles).filter(([each]) => each !== name));
    return { current: kept.current === name ? null : kept.current, profiles: others };
  });
}

/** @throws CommandFailed with the names that there are */
export const profileNamed = (name: string): Profile => profileIn(readProfiles(), name);

function profileIn({ profiles }: Profiles, name: string): Profile {
  const found = Object.entries(profiles).find(([each]) => each === name)?.[1];
  if (found !== undefined) return found;
  const names = Object.keys(profiles);
  throw wrongUsage(
    `There is no profile ${name}. ${names.length === 0 ? 'There are none yet' : `There are: ${names.join(', ')}`}; \`outdial login --profile ${name} --url URL\` makes it.`,
  );
}

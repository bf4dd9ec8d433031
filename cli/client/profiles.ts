import { chmodSync, mkdirSync, readFileSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { writeWhole } from '../../embedded/whole-file.js';
import { CommandFailed, exitCodes, wrongUsage } from './exit-codes.js';

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

const isMissing = (error: unknown): boolean => error instanceof Error && 'code' in error && error.code === 'ENOENT';

/** @throws CommandFailed if the file is readable by others, or is not one of ours */
export function readProfiles(): Profiles {
  const path = profilesPath();
  let text: string;
  try {
    if ((statSync(path).mode & 0o077) !== 0) {
      throw new CommandFailed(
        exitCodes.notAllowed,
        `${path} holds tokens and others can read it. Run: chmod 600 ${path}`,
      );
    }
    text = readFileSync(path, 'utf8');
  } catch (error) {
    if (isMissing(error)) return { current: null, profiles: {} };
    throw error;
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

function writeProfiles(profiles: Profiles): void {
  const folder = folderOf(process.env);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  chmodSync(folder, 0o700); // one that was there already may be open to others
  writeWhole(profilesPath(), `${JSON.stringify(profiles, null, 2)}\n`, 0o600);
}

/** Keeps a profile and makes it the one that commands use. */
export function keepProfile(name: string, profile: Profile): void {
  const { profiles } = readProfiles();
  writeProfiles({ current: name, profiles: { ...profiles, [name]: profile } });
}

/** Makes a profile the one that commands use if they name none. */
export function chooseProfile(name: string): void {
  const kept = readProfiles();
  profileNamed(name);
  writeProfiles({ ...kept, current: name });
}

/** Forgets a profile. If it was the current one, there is none afterwards. */
export function dropProfile(name: string): void {
  const { current, profiles } = readProfiles();
  profileNamed(name);
  const others = Object.fromEntries(Object.entries(profiles).filter(([each]) => each !== name));
  writeProfiles({ current: current === name ? null : current, profiles: others });
}

/** @throws CommandFailed with the names that there are */
export function profileNamed(name: string): Profile {
  const { profiles } = readProfiles();
  const found = Object.entries(profiles).find(([each]) => each === name)?.[1];
  if (found !== undefined) return found;
  const names = Object.keys(profiles);
  throw wrongUsage(
    `There is no profile ${name}. ${names.length === 0 ? 'There are none yet' : `There are: ${names.join(', ')}`}; \`outdial login --profile ${name} --url URL\` makes it.`,
  );
}

import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { writeWhole } from '../../embedded/whole-file.js';
import { CommandFailed, exitCodes } from '../client/exit-codes.js';

/** What carries the calls of an `outdial up`. */
export const localProviders = ['simulator', 'livekit'] as const;
export type LocalProvider = (typeof localProviders)[number];

/**
 * Telephones ring only if the command line asks for it: a setting that was meant for other processes is not enough.
 *
 * @throws if the environment names another provider than the simulator
 */
export function refuseOtherCarriers(env: Readonly<Record<string, string | undefined>>, command: 'up' | 'demo'): void {
  const { OUTDIAL_PROVIDER: provider } = env;
  if (provider === undefined || provider === '' || provider === 'simulator') return;
  const remedy = command === 'up' ? 'For real calls add --provider livekit; else unset' : 'Unset';
  throw new Error(
    `OUTDIAL_PROVIDER is ${provider}, but \`outdial ${command}\` dials nothing but the carrier simulator. ${remedy} it.`,
  );
}

const markPath = (folder: string): string => join(folder, 'provider');

/**
 * What has carried the calls of this data folder; undefined if it holds no data. Folders of versions that wrote no mark are
 * the simulator's.
 */
export function providerOf(folder: string): LocalProvider | undefined {
  if (!existsSync(join(folder, 'postgres', 'cluster', 'PG_VERSION'))) return undefined;
  try {
    const mark = readFileSync(markPath(folder), 'utf8').trim();
    return localProviders.find((each) => each === mark) ?? 'simulator';
  } catch {
    return 'simulator';
  }
}

/**
 * Why this provider cannot go on with the folder; undefined if it can. Calls that wait in it were meant for the other one: real
 * people would be called for a trial, or recorded as called by a simulation.
 */
export function providerConflict(folder: string, provider: LocalProvider): string | undefined {
  const before = providerOf(folder);
  if (before === undefined || before === provider) return undefined;
  return before === 'simulator'
    ? `${resolve(folder)} holds simulated calls, which must not become real ones.`
    : `${resolve(folder)} holds real calls, which must not be simulated.`;
}

/**
 * Marks the folder as one whose calls this provider carries, for good.
 *
 * @throws CommandFailed if it is the other one's
 */
export function claimFolder(folder: string, provider: LocalProvider): void {
  const conflict = providerConflict(folder, provider);
  if (conflict !== undefined) {
    throw new CommandFailed(exitCodes.usage, `${conflict} Name another folder with --data.`);
  }
  writeWhole(markPath(folder), `${provider}\n`, 0o600);
}

import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { holderOf } from '../../embedded/data-lock.js';
import { type Ready, runningService } from '../up/ready.js';
import { runningFolders } from '../up/running-services.js';

/** The database that a command of the operator works on. */
export type Place =
  /** The one that OUTDIAL_DATABASE_URL names, or its default. */
  | { readonly kind: 'configured' }
  /** That of an `outdial up` or `outdial demo` of this machine. */
  | { readonly kind: 'running'; readonly folder: string; readonly ready: Ready; readonly pid: number }
  /** The embedded one of a data folder on which nothing runs. */
  | { readonly kind: 'stopped'; readonly folder: string };

const startsWithinMs = 120_000;

const isSet = (text: string | undefined): text is string => text !== undefined && text.trim() !== '';

/**
 * Finds the database: `--data`, else OUTDIAL_DATABASE_URL, else OUTDIAL_DATA, else the service that runs on `.outdial` here,
 * else the one service that runs elsewhere on this machine, else what `.outdial` here holds.
 * @param data value of --data
 * @param say takes a line for a person if this takes its time
 * @throws Error if the folder that was named holds no data, or if several services run and none is named
 */
export async function findPlace(
  data: string | undefined,
  env: Readonly<Record<string, string | undefined>>,
  say: (line: string) => void,
): Promise<Place> {
  if (data === undefined && isSet(env.OUTDIAL_DATABASE_URL)) return { kind: 'configured' };
  const named = data ?? (isSet(env.OUTDIAL_DATA) ? env.OUTDIAL_DATA : undefined);
  if (named !== undefined) {
    const place = await placeOf(resolve(named), say);
    if (place !== undefined) return place;
    throw new Error(
      `${resolve(named)} holds no data of \`outdial up\`. Name its folder with --data, or set OUTDIAL_DATABASE_URL.`,
    );
  }
  const here = await placeOf(resolve('.outdial'), say);
  if (here?.kind === 'running') return here;
  const [first, ...others] = runningFolders();
  if (first === undefined) return here ?? { kind: 'configured' };
  if (others.length > 0) {
    const list = [first, ...others].map((folder) => `  ${folder}`);
    throw new Error(
      `Several services run on this machine. Name the data folder of one with --data:\n${list.join('\n')}`,
    );
  }
  return (await placeOf(first, say)) ?? here ?? { kind: 'configured' };
}

/** Reads what the folder holds, and waits if a service is starting on it. @returns undefined if it holds no database */
async function placeOf(folder: string, say: (line: string) => void): Promise<Place | undefined> {
  const until = performance.now() + startsWithinMs;
  for (let told = false; ; told = true) {
    const holder = holderOf(folder);
    if (holder === undefined) {
      return existsSync(join(folder, 'postgres', 'cluster', 'PG_VERSION')) ? { kind: 'stopped', folder } : undefined;
    }
    const ready = runningService(folder);
    if (ready !== undefined) return { kind: 'running', folder, ready, pid: holder.pid };
    if (performance.now() > until) {
      throw new Error(
        `Process ${holder.pid} holds ${folder} and is not ready. Its logs are in ${join(folder, 'logs')}.`,
      );
    }
    if (!told) say(`Process ${holder.pid} is starting or ending on ${folder}: waiting for it.`);
    await delay(200);
  }
}

import { closeSync, openSync, readdirSync, readFileSync, readSync, statSync, watch } from 'node:fs';
import { join, resolve } from 'node:path';
import { z } from 'zod';
import { holderOf } from '../../embedded/data-lock.js';
import { findPlace } from '../commands/place.js';
import { CommandFailed, exitCodes, wrongUsage } from './exit-codes.js';
import { coloursOn } from './output.js';
import { printable } from './printable.js';

export interface LogFlags {
  readonly data?: string;
  readonly lines: number;
  readonly follow?: true;
  readonly level?: keyof typeof levels;
  readonly json?: true;
}

/** As pino numbers them. */
const levels = { debug: 20, info: 30, warn: 40, error: 50 } as const;
const numbers: Readonly<Record<string, number>> = { trace: 10, ...levels, fatal: 60 };

const Line = z.looseObject({
  // Our own processes name the level and write the time as ISO 8601; agent workers may have both as pino's numbers.
  level: z.union([z.number(), z.string().transform((name) => numbers[name] ?? levels.info)]),
  time: z.union([z.number(), z.iso.datetime({ offset: true }).transform((text) => Date.parse(text))]),
  msg: z.string().optional(),
  err: z.looseObject({ message: z.string() }).optional(),
});

interface Entry {
  readonly at: number;
  readonly part: string;
  readonly level: number;
  readonly text: string;
  readonly raw: string;
}

/** `outdial logs`: what the parts of an `outdial up` have logged, in one order. */
export async function printLogs(parts: readonly string[], flags: LogFlags): Promise<void> {
  const folder = join(await folderOf(flags.data), 'logs');
  const there = logsIn(folder);
  const unknown = parts.find((part) => !there.includes(part));
  if (unknown !== undefined) throw wrongUsage(`There is no log of ${unknown}. There are: ${there.join(', ')}.`);
  const least = levels[flags.level ?? 'debug'];
  const ends = new Map<string, number>();
  const isWanted = (part: string): boolean => parts.length === 0 || parts.includes(part);
  const entries = there.filter(isWanted).flatMap((part) => {
    const content = readFileSync(join(folder, `${part}.log`));
    const end = content.lastIndexOf(0x0a) + 1; // a line that is still being written comes later
    ends.set(part, end);
    return entriesOf(part, content.toString('utf8', 0, end));
  });
  const last = entries.filter(({ level }) => level >= least).sort((a, b) => a.at - b.at);
  print(flags.lines === 0 ? [] : last.slice(-flags.lines), flags);
  if (flags.follow !== true) return;
  await followed(folder, isWanted, ends, (more) =>
    print(
      more.filter(({ level }) => level >= least),
      flags,
    ),
  );
}

async function folderOf(data: string | undefined): Promise<string> {
  const say = (line: string): void => console.error(`outdial: ${line}`);
  // Logs are of use above all while a service starts or after it has failed to.
  const here = data ?? process.env.OUTDIAL_DATA;
  if (here !== undefined && here !== '') return resolve(here);
  if (holderOf(resolve('.outdial')) !== undefined) return resolve('.outdial');
  const place = await findPlace(undefined, { ...process.env, OUTDIAL_DATABASE_URL: undefined }, say).catch(
    (error: unknown) => {
      throw error instanceof Error ? wrongUsage(error.message) : error;
    },
  );
  if (place.kind !== 'configured') return place.folder;
  throw new CommandFailed(
    exitCodes.notFound,
    'There is no `outdial up` on this machine whose logs could be shown. Name its data folder with --data; roles that run by ' +
      'themselves log to standard output.',
  );
}

function logsIn(folder: string): string[] {
  try {
    return readdirSync(folder)
      .filter((name) => name.endsWith('.log'))
      .map((name) => name.slice(0, -'.log'.length))
      .sort();
  } catch {
    throw new CommandFailed(exitCodes.notFound, `${folder} holds no logs of \`outdial up\`.`);
  }
}

/** Reads on whatever is written, also after a log was cut to nothing because it had grown too large. */
async function followed(
  folder: string,
  isWanted: (part: string) => boolean,
  ends: Map<string, number>,
  show: (entries: Entry[]) => void,
): Promise<never> {
  const readOn = (part: string): void => {
    const path = join(folder, `${part}.log`);
    const { size } = statSync(path, { throwIfNoEntry: false }) ?? { size: 0 };
    const seen = ends.get(part) ?? 0;
    const from = seen > size ? 0 : seen;
    ends.set(part, from);
    if (size === from) return;
    const file = openSync(path, 'r');
    try {
      const piece = Buffer.alloc(size - from);
      const read = readSync(file, piece, 0, piece.length, from);
      const whole = piece.subarray(0, read).lastIndexOf(0x0a) + 1;
      ends.set(part, from + whole);
      show(entriesOf(part, piece.toString('utf8', 0, whole)));
    } finally {
      closeSync(file);
    }
  };
  return new Promise<never>((_, reject) => {
    watch(folder, (_event, name) => {
      const part = name?.endsWith('.log') === true ? name.slice(0, -'.log'.length) : undefined;
      if (part !== undefined && isWanted(part)) readOn(part);
    }).once('error', reject);
    // What was written between the first look and the watch.
    for (const part of logsIn(folder).filter(isWanted)) readOn(part);
  });
}

/** Lines of our own processes are JSON; those of PostgreSQL and Temporal keep the place that they have in their file. */
function entriesOf(part: string, text: string): Entry[] {
  let at = 0;
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((raw): Entry => {
      const parsed = Line.safeParse(jsonOf(raw));
      if (!parsed.success) {
        at = timeIn(raw) ?? at;
        return { at, part, level: levels.info, text: raw, raw };
      }
      const { level, time, msg = '', err, ...rest } = parsed.data;
      at = time;
      const more = Object.entries(rest)
        .filter(([name]) => !['pid', 'hostname', 'v', 'name', 'role'].includes(name))
        .map(([name, value]) => `${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`);
      return { at, part, level, text: [msg, ...(err === undefined ? [] : [err.message]), ...more].join('  '), raw };
    });
}

/** The instant that a line of PostgreSQL or Temporal begins with. */
function timeIn(line: string): number | undefined {
  const [, day, clock, zone] = /(\d{4}-\d\d-\d\d)[ T](\d\d:\d\d:\d\d(?:\.\d+)?)(?: ?(UTC|GMT|Z))?/.exec(line) ?? [];
  const time = Date.parse(`${day}T${clock}${zone === undefined ? '' : 'Z'}`);
  return Number.isNaN(time) ? undefined : time;
}

function print(entries: readonly Entry[], { json }: LogFlags): void {
  const { dim, red, yellow } = coloursOn(process.stdout);
  for (const { at, part, level, text, raw } of entries) {
    const shade = level >= levels.error ? red : level >= levels.warn ? yellow : (words: string): string => words;
    if (json === true) console.log(raw);
    else console.log(`${dim(new Date(at).toISOString().slice(11, 23))} ${part.padEnd(8)} ${shade(printable(text))}`);
  }
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

import { readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import type { Command } from 'commander';
import type { Db } from '../../db/client.js';
import {
  countWhatMayHaveBeenDialed,
  endWhatMayHaveBeenDialed,
  leasedUntil,
} from '../../db/queries/upkeep/after-restore.js';
import { readNumberCell } from '../../domain/phone/phone-number-cell.js';
import { pastInstantOf } from '../moments.js';
import { answer, type DataFlag, dataOption, withDatabase } from './open.js';

interface Flags extends DataFlag {
  readonly stoppedAt: Date;
  readonly dialed?: string;
  readonly dryRun?: true;
  readonly json?: true;
}

const mostProblemsShown = 20;
/** Longer than a dialer's lease runs: one that died ends within it, one that lives renews it. */
const leaseWaitMs = 20_000;

/** `outdial restored`, for a database that comes from a backup. */
export function restoredCommand(program: Command): void {
  program
    .command('restored')
    .description(
      'After restoring a backup, before any role is started: end the calls that the lost service may have dialed since, so that nobody is called twice',
    )
    .requiredOption(
      '--stopped-at <time>',
      'when the lost service dialed last, or later: 2026-05-01T12:00:00Z, or "2026-05-01 14:00 Europe/Paris"',
      (text: string) => pastInstantOf(text, '--stopped-at'),
    )
    .option(
      '--dialed <file>',
      'numbers dialed since the backup, by the carrier: one a line, or CSV with the number first. Without it: whoever was due',
    )
    .option('--dry-run', 'only say how many')
    .option(...dataOption)
    .option('--json', 'print one JSON object')
    .action(async ({ stoppedAt, dialed, dryRun, json, ...flags }: Flags) => {
      const lost = { stoppedAt, dialed: dialed === undefined ? null : readNumbers(dialed) };
      const marked = await withDatabase(flags, async ({ database: { db } }) => {
        if (dryRun === true) return countWhatMayHaveBeenDialed(db, lost);
        await requireNoDialer(db);
        return endWhatMayHaveBeenDialed(db, lost);
      });
      const total = marked.live + marked.waiting + marked.awaited;
      answer(json, { ...marked, total, dryRun: dryRun === true }, [
        `${total} calls ${dryRun === true ? 'would be' : 'are'} taken as dialed between the backup and ${stoppedAt.toISOString()}: ${marked.live} were live when it was made, ` +
          `${marked.waiting} were waiting, ${marked.awaited} would have been called again without success.`,
        ...(total === 0 || dryRun === true
          ? []
          : ['Their records say failed, reason unknown; POST /v1/batch-calls/{batchId}/retry calls them again.']),
      ]);
    });
}

/** @throws if a dialer runs on the database: what it has just dialed would be taken as waiting */
async function requireNoDialer(db: Db): Promise<void> {
  const untilMs = Date.now() + leaseWaitMs;
  while ((await leasedUntil(db)) !== null) {
    if (Date.now() > untilMs) {
      throw new Error('A dialer runs on this database. Stop all roles first; start them again after this command.');
    }
    await pause(500);
  }
}

/** The numbers of a file: the first cell of each line. A first line without digits is a heading. */
function readNumbers(path: string): readonly string[] {
  const lines = readFileSync(path, 'utf8').split(/\r?\n/);
  const problems: string[] = [];
  const numbers = lines.flatMap((line, at) => {
    const cell = (/^[^,;\t]*/.exec(line)?.[0] ?? '').replaceAll('"', '').trim();
    if (line.trim() === '' || (at === 0 && !/\d/.test(cell))) return [];
    const reading = readNumberCell(cell, 'add');
    if ('phoneNumber' in reading) return [reading.phoneNumber];
    problems.push(`line ${at + 1}: not a phone number in international form`);
    return [];
  });
  if (problems.length > 0) {
    const more = problems.length > mostProblemsShown ? [`and ${problems.length - mostProblemsShown} more`] : [];
    throw new Error(`${path} cannot be used: ${[...problems.slice(0, mostProblemsShown), ...more].join('; ')}.`);
  }
  return numbers;
}

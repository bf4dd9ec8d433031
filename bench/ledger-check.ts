import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { LedgerLine } from '../telephony/simulator/ledger.js';
import { isBusyFirst, numberAt } from './numbers.js';

/**
 * Compares the carrier's ledger with what was asked of it: every number dialed once for each of its attempts, and none
 * dialed that was not asked for.
 *
 * @returns a message for each thing that does not hold
 */
export async function whatTheLedgerDenies(path: string, from: number, to: number): Promise<string[]> {
  const dialed = new Map<string, number[]>();
  const problems: string[] = [];
  for await (const text of createInterface({ input: createReadStream(path) })) {
    const line = LedgerLine.parse(JSON.parse(text));
    if (line.event === 'violation') problems.push(`violation: ${line.reason ?? 'of something'}`);
    if (line.event !== 'invite') continue;
    const attempts = dialed.get(line.to ?? '') ?? [];
    dialed.set(line.to ?? '', [...attempts, line.attempt ?? 0]);
  }
  for (let index = from; index < to; index++) {
    const attempts = (dialed.get(numberAt(index)) ?? []).toSorted((a, b) => a - b).join();
    const expected = isBusyFirst(index) ? '1,2' : '1';
    if (attempts !== expected) problems.push(`${numberAt(index)}: attempts ${attempts || 'none'}, not ${expected}`);
  }
  return problems;
}

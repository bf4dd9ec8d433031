import { execFile } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../embedded/temporary-folder.js';
import { processesOn } from './running-service.js';

const program = join(import.meta.dirname, '../../dist/cli/main.js');
const expectedRejections = [
  ['12125550148', 'missing_plus'],
  ['9.19877E+11', 'excel_number'],
  ['', 'missing_number'],
  ['call me maybe', 'invalid_number'],
  ['+1202555', 'invalid_number'],
  ['+19175550170', 'duplicate'],
];

test('the demo starts everything, calls the example file to its end, verifies its webhooks and leaves no process behind', async () => {
  const folder = temporaryFolder('demo');
  const { stdout, stderr } = await promisify(execFile)(
    process.execPath,
    [program, 'demo', '--data', folder, '--speed', '50', '--json'],
    { env: process.env, maxBuffer: 10_000_000 },
  );
  const outcome = JSON.parse(stdout) as {
    stats: Record<string, number>;
    records: { status: string; metadata: Record<string, string> }[];
    rejectedRows: { value?: string; reason: string }[];
    webhooks: { event: string; verified: boolean }[];
  };
  expect(outcome).toMatchObject({ batch: { status: 'completed', recordsUploaded: 94, simulated: true } });
  expect(outcome.rejectedRows.map(({ value, reason }) => [value ?? '', reason])).toEqual(expectedRejections);
  expect(outcome.webhooks.map(({ event, verified }) => [event, verified])).toEqual([
    ['batchcall-started', true],
    ['batchcall-completed', true],
  ]);
  // The file exercises every outcome that a carrier can cause, and more attempts than calls.
  const outcomes = ['answered', 'not-answered', 'rejected', 'missed', 'failed'];
  for (const status of outcomes) expect({ status, count: outcome.stats[status] }).not.toEqual({ status, count: 0 });
  expect(outcomes.reduce((sum, status) => sum + (outcome.stats[status] ?? 0), 0)).toBe(94);
  expect(outcome.stats.attempts).toBeGreaterThan(94);
  expect(outcome.records).toHaveLength(94);
  expect(outcome.records.every(({ metadata }) => metadata.name && metadata.appointment)).toBe(true);
  expect(stderr).toContain('All of it held');
  expect(processesOn(folder)).toEqual([]);
  rmSync(folder, { recursive: true, force: true });
});

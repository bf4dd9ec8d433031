import { spawnSync } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';

type Outcomes = Readonly<Record<string, 'passed' | 'failed'>>;

/** A file of tests as Vitest reports it. */
const fileOf = (name: string, outcomes: Outcomes, status?: string) => ({
  ...{ name: resolve(name), startTime: 0, endTime: 1_000, message: 'no such module' },
  status: status ?? (Object.values(outcomes).includes('failed') ? 'failed' : 'passed'),
  assertionResults: Object.entries(outcomes).map(([fullName, outcome]) => ({
    ...{ fullName, status: outcome, failureMessages: outcome === 'failed' ? ['Error: expected 5'] : [] },
  })),
});

/** What .ci/run prints at its end, and whether it fails, after these runs. */
function reportOf(first: readonly object[], again?: readonly object[]) {
  const folder = mkdtempSync(join(tmpdir(), 'outdial-report-'));
  const write = (name: string, testResults: readonly object[]) => {
    writeFileSync(join(folder, name), JSON.stringify({ testResults, numPassedTests: 7, success: false }));
    return join(folder, name);
  };
  const path = write('report.json', first);
  if (again !== undefined) write('report-again.json', again);
  const { stdout, status } = spawnSync('node', ['scripts/test-report.mjs', path], { encoding: 'utf8' });
  return { lines: stdout.trimEnd().split('\n'), status };
}

const broken = fileOf('test/chaos/a.test.ts', { one: 'passed', two: 'failed' });

test('a test that fails fails the run, and is named with its reason', () => {
  const { lines, status } = reportOf([broken]);
  expect(lines).toContain('failed: test/chaos/a.test.ts: two');
  expect(lines.slice(-2)).toEqual(['  Error: expected 5', '7 passed, 1 failed, 0 skipped']);
  expect(status).toBe(1);
});

test('a test that passes in a second run does not fail the run, and is named with its first failure', () => {
  const { lines, status } = reportOf([broken], [fileOf('test/chaos/a.test.ts', { one: 'passed', two: 'passed' })]);
  expect(lines.slice(-3)).toEqual([
    'passed in a second run: test/chaos/a.test.ts: two',
    '  Error: expected 5',
    '7 passed, 1 passed in a second run, 0 failed, 0 skipped',
  ]);
  expect(status).toBe(0);
});

test.each([
  ['fails in the second run, too', { one: 'passed', two: 'failed' }],
  ['passes, while another fails', { one: 'failed', two: 'passed' }],
  ['was not run again', { one: 'passed' }],
] as const)('a test that %s fails the run', (_, outcomes) => {
  expect(reportOf([broken], [fileOf('test/chaos/a.test.ts', outcomes)]).status).toBe(1);
});

test('a file that cannot be loaded, or whose set-up fails, fails the run unless it passes in a second run', () => {
  for (const outcomes of [{}, { one: 'passed' }] as const) {
    const notLoaded = fileOf('test/api/b.test.ts', outcomes, 'failed');
    expect(reportOf([notLoaded])).toMatchObject({ status: 1 });
    expect(reportOf([notLoaded], [notLoaded]).status).toBe(1);
    expect(reportOf([notLoaded], [fileOf('test/api/b.test.ts', { one: 'passed' })]).status).toBe(0);
  }
});

test('a run without a report fails', () => {
  const { stdout, status } = spawnSync('node', ['scripts/test-report.mjs', '/nowhere/report.json'], {
    encoding: 'utf8',
  });
  expect(stdout).toContain('The tests left no /nowhere/report.json.');
  expect(status).toBe(1);
});

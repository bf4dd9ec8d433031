import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Findings, openFindings } from '../../soak/findings.js';

const root = join(import.meta.dirname, '../../..');
const command = 'npm run soak -- --seed 9';
const summary = '7 passed, 0 failed, 0 skipped';

let folder: string;
let findings: Findings;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'outdial-findings-'));
  writeFileSync(join(folder, 'report.json'), JSON.stringify({ testResults: [], numPassedTests: 7, success: true }));
  findings = openFindings(join(folder, 'soak.txt'), command);
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** The end of CI's output. */
function printed(broken: string): string[] {
  const args = [join(root, 'scripts/test-report.mjs'), join(folder, 'report.json')];
  const { stdout } = spawnSync(process.execPath, args, { encoding: 'utf8', env: { ...process.env, broken } });
  return stdout.trimEnd().split('\n');
}
const after = (lines: readonly string[], first: string) => lines.slice(lines.indexOf(first));

test('CI ends with what the soak found: what is violated, the timelines of the first few, and how often', () => {
  const timeline = Array.from({ length: 40 }, (_, place) => `    12:00:${place + 10} fault ${place}`);
  for (let place = 0; place < 100; place++) findings.violation(`VIOLATION (twice) call ${place}`, timeline);
  const lines = after(printed('soak'), 'the soak failed:');
  expect(lines.slice(0, 3)).toEqual(['the soak failed:', `  ${command}`, '  VIOLATION (twice) call 0']);
  expect(lines.slice(-2)).toEqual(['steps that failed: soak', summary]);
  expect(lines).toContain('      12:00:10 fault 0');
  expect(lines).toContain('      12:00:49 fault 39');
  expect(lines).toContain('  VIOLATION (twice) call 9');
  expect(lines.length).toBeLessThan(210);
});

test('CI ends with the stack and the causes of a soak that failed by itself', () => {
  findings.crash(new Error('postgres does not start', { cause: new Error('its port is taken') }));
  const lines = after(printed('lint, soak'), 'the soak failed:');
  expect(lines[2]).toBe('  CRASH Error: postgres does not start');
  expect(lines.find((line) => line.includes('findings.test.ts'))).toBeDefined();
  expect(lines).toContain('  caused by Error: its port is taken');
});

test('CI ends with the last words of a soak that was killed before it could tell anything', () => {
  writeFileSync(join(folder, 'soak.log'), '0.2 min: 3 faults\nFATAL ERROR: JavaScript heap out of memory\n');
  expect(after(printed('soak'), 'the soak failed:')).toContain('  FATAL ERROR: JavaScript heap out of memory');
});

test('CI says nothing of a soak that held', () => {
  findings.add('0 violations');
  expect(printed('').at(-1)).toBe(summary);
  expect(printed('').join()).not.toContain('soak');
});

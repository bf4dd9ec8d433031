import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { pauseReasons } from '../../../domain/batch/pause-reasons.js';
import { listedRowReasons, numberFaults } from '../../../domain/batch/row-reasons.js';
import { unsuccessfulStatuses } from '../../../domain/call/call.js';
import { endReasonEntry, isEndReason, isPermanent, listedEndReasons } from '../../../domain/call/end-reasons.js';

const lists = ['domain/call/end-reasons.ts', 'domain/batch/pause-reasons.ts', 'domain/batch/row-reasons.ts'];

const filesIn = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => /\.(?:ts|sql)$/.test(path))
    .map((path) => join(folder, path));
const textOf = (path: string): string => readFileSync(path, 'utf8');

/** Everything that can produce a reason: not the lists themselves, and not the API, which only passes reasons on. */
const producers = ['domain', 'contacts', 'db', 'telephony', 'dialer', 'agent/conversation', 'agent/models']
  .flatMap(filesIn)
  .filter((path) => !lists.includes(path))
  .map(textOf)
  .join('\n');
const api = ['api/calls', 'api/batch-calls', 'api/account'].flatMap(filesIn).map(textOf).join('\n');

test.each([...listedEndReasons, ...listedRowReasons])('the listed reason %s is produced by the code', (reason) => {
  expect(producers).toContain(`'${reason}'`);
});

test.each(Object.keys(pauseReasons))('the listed reason %s of a pause is produced by the code', (reason) => {
  expect(producers + api).toContain(`'${reason}'`);
});

/** Where SQL writes a reason as text: types cannot see it there. Deployments and documents have reasons of their own. */
const sqlFiles = filesIn('db').filter((path) => !/queries\/(?:agents|knowledge)\//.test(path));
const written = (pattern: RegExp): [string, string][] =>
  sqlFiles.flatMap((path) =>
    [...textOf(path).matchAll(pattern)].flatMap(([, reason]): [string, string][] =>
      reason === undefined ? [] : [[path, reason]],
    ),
  );

/** `when a.reason = …` and `and a.reason = …` compare and write nothing; beside a `due_at` it says why an attempt waits. */
const ends = written(
  /(?:(?<!(?:when|and) \w\.|due_at = [\w.]+, )\b(?:new\.)?(?:hang_up_)?reason\s*:?=|coalesce\((?:\w+\.)?hang_up_reason,)\s*'([^']*)'/g,
);
const pauses = written(/\bpaused_reason\s*:?=\s*'([^']*)'/g);

test('SQL writes reasons of ended calls, and this test finds them', () => {
  expect(new Set(ends.map(([, reason]) => reason))).toEqual(
    new Set(['batch_cancelled', 'do_not_call', 'ended_by_api', 'erased', 'not_granted', 'skipped', 'transferred']),
  );
  expect(pauses.map(([, reason]) => reason)).toContain('abandoned_rate');
});

test.each(ends)('%s writes %s as the reason of an ended call, which is listed', (_path, reason) => {
  expect(isEndReason(reason)).toBe(true);
});

test.each(pauses)('%s writes %s as the reason of a pause, which is listed', (_path, reason) => {
  expect(Object.keys(pauseReasons)).toContain(reason);
});

test('only a final SIP response that is no success may stand as sip_<code>', () => {
  expect(['sip_403', 'sip_302', 'sip_699'].map(isEndReason)).toEqual([true, true, true]);
  expect(['sip_200', 'sip_', 'sip_4033', 'toString', 'hung up'].map(isEndReason)).toEqual([
    false,
    false,
    false,
    false,
    false,
  ]);
});

test('what is permanent belongs to an unsuccessful status', () => {
  const permanent = listedEndReasons.filter(isPermanent);
  expect(permanent).toEqual(['unwanted', 'rejected_by_network', 'invalid_number']);
  for (const reason of permanent) {
    for (const status of endReasonEntry(reason).statuses) expect(unsuccessfulStatuses).toContain(status);
  }
  expect(isPermanent('sip_404')).toBe(false);
});

test('a cell of the phone_number column has five faults', () => {
  expect(numberFaults).toEqual(['missing_number', 'invalid_number', 'missing_plus', 'excel_number', 'unsaved_formula']);
});

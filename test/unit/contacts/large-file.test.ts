import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import XLSX from 'xlsx';
import { afterAll, expect, test } from 'vitest';

const folder = mkdtempSync(join(tmpdir(), 'large-file-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const run = promisify(execFile);
const script = fileURLToPath(new URL('../../security/files/read-one.ts', import.meta.url));

async function read(bytes: Uint8Array, extension: 'csv' | 'xlsx'): Promise<Record<string, number>> {
  expect(bytes.length).toBeLessThanOrEqual(5_242_880);
  const path = join(folder, `file.${extension}`);
  writeFileSync(path, bytes);
  const { stdout } = await run(process.execPath, [...process.execArgv, script, path, extension]);
  return JSON.parse(stdout) as Record<string, number>;
}

const numbers = (count: number): string[] =>
  Array.from({ length: count }, (_, index) => `+91${9_000_000_000 + index * 7}`);

// shows: rows.many
test('D6: a CSV of 374,000 bare numbers is read to its end by a process that stays below 150 MiB', async () => {
  const rows = 374_000;
  const result = await read(Buffer.from(['phone_number', ...numbers(rows)].join('\n')), 'csv');
  expect(result).toMatchObject({ outcome: 'read', recipients: rows, rows });
  expect(result.largestChunk).toBeLessThan(10_000);
  expect(result.peakRssMiB).toBeLessThan(150);
});

test('D6: a workbook of 200,000 bare numbers is read to its end by a process that stays below 150 MiB', async () => {
  const rows = 200_000;
  const book = XLSX.utils.book_new();
  const cells = ['phone_number', ...numbers(rows)].map((value) => [value]);
  XLSX.utils.book_append_sheet(book, XLSX.utils.aoa_to_sheet(cells, { dense: true }), 'People');
  const bytes = XLSX.write(book, { type: 'buffer', bookType: 'xlsx', compression: true, bookSST: true }) as Buffer;
  const result = await read(bytes, 'xlsx');
  expect(result).toMatchObject({ outcome: 'read', recipients: rows, rows });
  expect(result.largestChunk).toBeLessThan(10_000);
  expect(result.peakRssMiB).toBeLessThan(150);
});

import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, test } from 'vitest';

const root = fileURLToPath(new URL('../../..', import.meta.url));
// Inside the project, where the compiled files find node_modules.
const folder = mkdtempSync(join(root, 'node_modules', '.large-file-'));

afterAll(() => rmSync(folder, { recursive: true, force: true }));

const rows = 374_000;

const script = `
import { parseContacts } from './contacts/parse-contacts.js';
const bytes = Buffer.from('phone_number\\n' + Array.from({ length: ${rows} }, (_, i) => '+91' + (9000000000 + i * 7)).join('\\n') + '\\n');
const { chunks, summary } = parseContacts(bytes, 'csv', { duplicates: 'call', missingPlus: 'reject' });
let largest = 0;
let recipients = 0;
for await (const chunk of chunks) {
  largest = Math.max(largest, chunk.recipients.length);
  recipients += chunk.recipients.length;
}
console.log(JSON.stringify({ bytes: bytes.length, recipients, largest, rows: summary().rows, maxRssMb: process.resourceUsage().maxRSS / 1024 }));
`;

test('a CSV of 374,000 bare numbers is read to its end in a heap of 96 MB, some thousand rows at a time', () => {
  const tsc = join(root, 'node_modules', 'typescript', 'bin', 'tsc');
  const compile =
    '--ignoreConfig --rootDir . --module nodenext --target es2023 --skipLibCheck --types node contacts/parse-contacts.ts';
  execFileSync(process.execPath, [tsc, '--outDir', folder, ...compile.split(' ')], { cwd: root });
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
  writeFileSync(join(folder, 'read.js'), script);
  const output = execFileSync(process.execPath, ['--max-old-space-size=96', join(folder, 'read.js')], { env: {} });
  const result = JSON.parse(output.toString()) as Record<string, number>;
  expect(result).toMatchObject({ recipients: rows, rows });
  expect(result.bytes).toBeGreaterThan(5_000_000);
  expect(result.largest).toBeLessThan(10_000);
  expect(result.maxRssMb).toBeLessThan(300);
}, 60_000);

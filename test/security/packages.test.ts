import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '../..');
const json = (file: string) => JSON.parse(readFileSync(join(root, file), 'utf8')) as Record<string, unknown>;

/** Packages that the code of a file loads, by whatever it imports in turn. Types are not loaded. */
function packagesOf(...entries: readonly string[]): Set<string> {
  const packages = new Set<string>();
  const seen = new Set<string>();
  const waiting = entries.map((entry) => join(root, entry));
  for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
    if (seen.has(file)) continue;
    seen.add(file);
    const text = readFileSync(file, 'utf8');
    const imports = /(?:^import |^(?:import|export)(?! type\b)[^;'"=]*? from |\bimport\()'([^']+)'/gm;
    for (const [, named = ''] of text.matchAll(imports)) {
      if (!named.startsWith('.')) packages.add(/^(?:@[^/]+\/)?[^/]+/.exec(named)?.[0] ?? named);
      else {
        const source = resolve(dirname(file), named).replace(/\.js$/, '.ts');
        if (existsSync(source)) waiting.push(source);
      }
    }
  }
  return packages;
}

const reading = ['xlsx', 'unpdf', 'mammoth', 'html-to-text'];

test('P3-11: packages that read what accounts send are loaded by the processes that read files, and by no role', () => {
  const ofReaders = packagesOf('contacts/contacts-reader.ts', 'knowledge/document-reader.ts');
  const ofRoles = packagesOf(...['api', 'worker', 'dialer', 'agent'].map((role) => `cli/roles/${role}.ts`));
  expect(ofRoles).toContain('pg');
  expect(reading.filter((name) => !ofReaders.has(name))).toEqual([]);
  expect(reading.filter((name) => ofRoles.has(name))).toEqual([]);
});

test('P3-11: a process that reads files has nothing to connect to the service with', () => {
  const ofReaders = packagesOf('contacts/contacts-reader.ts', 'knowledge/document-reader.ts');
  for (const name of ['pg', 'kysely', '@temporalio/client', 'undici', 'livekit-server-sdk']) {
    expect(ofReaders).not.toContain(name);
  }
});

test.each(['', 'agent/'])('P3-11: every package of %spackage.json has one exact version and a checksum', (folder) => {
  const { dependencies, devDependencies } = json(`${folder}package.json`) as Record<string, Record<string, string>>;
  for (const [name, version] of Object.entries({ ...dependencies, ...devDependencies })) {
    expect({ name, version }).toEqual({ name, version: expect.stringMatching(/^(npm:.+@)?\d+\.\d+\.\d+(-[\w.]+)?$/) });
  }
  const { packages } = json(`${folder}package-lock.json`) as { packages: Record<string, Record<string, unknown>> };
  const fetched = Object.entries(packages).filter(([place, { link }]) => place !== '' && link !== true);
  expect(fetched.length).toBeGreaterThan(100);
  for (const [place, { integrity, inBundle }] of fetched) {
    const checked = inBundle === true || String(integrity).startsWith('sha512-');
    expect({ place, checked }).toEqual({ place, checked: true });
  }
});

import { readFileSync } from 'node:fs';
import { createProgram } from '../../../cli/program.js';
import { expect, test } from 'vitest';
import { version } from '../../../platform/version.js';

const versionIn = (path: string): string => (JSON.parse(readFileSync(path, 'utf8')) as { version: string }).version;

test('the version is that of package.json, also on the command line', () => {
  expect(version).toBe(versionIn('package.json'));
  expect(createProgram().version()).toBe(version);
});

test('the packages and the images of one release have one version', () => {
  expect(versionIn('agent/package.json')).toBe(version);
  const images = [...readFileSync('docker-compose.yml', 'utf8').matchAll(/^\s*image: outdial[\w-]*:(\S+)$/gm)];
  expect(images.map(([, tag]) => tag)).toEqual([version, version]);
});

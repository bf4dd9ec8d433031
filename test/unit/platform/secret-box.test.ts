import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { createSecretBox } from '../../../platform/secret-box.js';

const key = (id: string): string => `${id}:${randomBytes(32).toString('base64')}`;

test.each(['', 'a', 'pässword 🔑', 'x'.repeat(10_000)])('what was sealed opens again: %#', (secret) => {
  const box = createSecretBox([key('k1')]);
  const envelope = box.seal(secret);
  expect(box.open(envelope)).toBe(secret);
  expect(envelope).toMatch(/^v1\.k1\./);
  if (secret.length > 3) expect(envelope).not.toContain(secret);
});

test('the same secret never looks the same', () => {
  const box = createSecretBox([key('k1')]);
  expect(box.seal('same')).not.toBe(box.seal('same'));
});

test('after a key was added in front, old envelopes open and can be sealed anew', () => {
  const [old, fresh] = [key('old'), key('new')];
  const envelope = createSecretBox([old]).seal('secret');
  const both = createSecretBox([fresh, old]);
  expect(both.open(envelope)).toBe('secret');

  const resealed = both.reseal(envelope);
  expect(resealed).toMatch(/^v1\.new\./);
  expect(createSecretBox([fresh]).open(resealed ?? '')).toBe('secret');
  expect(both.reseal(resealed ?? '')).toBeNull();
});

test('a changed envelope, and one of a key that is not there, do not open, and nothing of them is told', () => {
  const k1 = key('k1');
  const box = createSecretBox([k1, key('k2')]);
  const envelope = box.seal('top secret');
  const middle = Math.floor(envelope.length / 2);
  const flipped = `${envelope.slice(0, middle)}${envelope[middle] === 'A' ? 'B' : 'A'}${envelope.slice(middle + 1)}`;
  for (const bad of [flipped, envelope.replace('.k1.', '.k2.'), envelope.slice(0, 20), '', 'v2.k1.AAAA', 'v1.k1.']) {
    expect(() => box.open(bad)).toThrow(/^(?!.*top secret)/);
  }
  expect(() => createSecretBox([key('k3')]).open(envelope)).toThrow(/OUTDIAL_ENCRYPTION_KEYS/);
});

test.each([
  ['no key at all', []],
  ['a key without an id', [`:${randomBytes(32).toString('base64')}`]],
  ['a key that is too short', [`k1:${randomBytes(16).toString('base64')}`]],
  ['something else', ['secret']],
  ['two keys of one id', [key('k1'), key('k1')]],
])('%s is refused by the name of the setting', (_case, keys) => {
  expect(() => createSecretBox(keys)).toThrow(/OUTDIAL_ENCRYPTION_KEYS/);
  for (const each of keys) {
    const secret = each.split(':')[1];
    if (secret === undefined) continue;
    expect(() => createSecretBox(keys)).not.toThrow(new RegExp(secret.slice(0, 12).replace(/[+/]/g, '\\$&')));
  }
});

import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { createSecretBox } from '../../../platform/secret-box.js';
import { sealedUnbound } from '../../setup/unbound-secret.js';

const key = (id: string): string => `${id}:${randomBytes(32).toString('base64')}`;
const place = { kind: 'tool-headers', owner: ['acc_1', 'tool_1'] };

// shows: token.sealed
test.each(['', 'a', 'pässword 🔑', 'x'.repeat(10_000)])('what was sealed opens again: %#', (secret) => {
  const box = createSecretBox([key('k1')]);
  const envelope = box.seal(secret, place);
  expect(box.open(envelope, place)).toBe(secret);
  expect(envelope).toMatch(/^v2\.k1\./);
  if (secret.length > 3) expect(envelope).not.toContain(secret);
});

test('the same secret never looks the same', () => {
  const box = createSecretBox([key('k1')]);
  expect(box.seal('same', place)).not.toBe(box.seal('same', place));
});

test.each([
  { kind: 'tool-headers', owner: ['acc_1', 'tool_2'] },
  { kind: 'tool-headers', owner: ['acc_2', 'tool_1'] },
  { kind: 'api-key', owner: ['acc_1', 'tool_1'] },
  { kind: 'tool-headers', owner: ['acc_1', 'tool_1', ''] },
  { kind: 'tool-headers', owner: ['acc_1","tool_1'] },
  { kind: 'tool-headers', owner: [] },
])('P3-9: an envelope that was copied elsewhere does not open there, and the error names the place: %j', (other) => {
  const box = createSecretBox([key('k1')]);
  const envelope = box.seal('top secret', place);
  expect(() => box.open(envelope, other)).toThrow(
    `${other.kind} of ${other.owner.join(' ')} is damaged, or was sealed`,
  );
  // The other form is no way around it.
  expect(() => box.open(envelope.replace('v2.', 'v1.'), other)).toThrow('is damaged, or was sealed for another row');
});

test('P3-9: what was sealed before secrets were bound opens, and is bound when it is sealed again', () => {
  const k1 = key('k1');
  const box = createSecretBox([k1]);
  const old = sealedUnbound(k1, 'secret');
  expect(box.open(old, place)).toBe('secret');
  const again = box.reseal(old, place) ?? '';
  expect(again).toMatch(/^v2\.k1\./);
  expect(box.open(again, place)).toBe('secret');
  expect(() => box.open(again, { ...place, owner: ['acc_2', 'tool_1'] })).toThrow('another row');
});

test('after a key was added in front, old envelopes open and can be sealed again', () => {
  const [old, fresh] = [key('old'), key('new')];
  const envelope = createSecretBox([old]).seal('secret', place);
  const both = createSecretBox([fresh, old]);
  expect(both.open(envelope, place)).toBe('secret');

  const resealed = both.reseal(envelope, place);
  expect(resealed).toMatch(/^v2\.new\./);
  expect(createSecretBox([fresh]).open(resealed ?? '', place)).toBe('secret');
  expect(both.reseal(resealed ?? '', place)).toBeNull();
});

test('a changed envelope, and one of a key that is not there, do not open, and nothing of them is told', () => {
  const k1 = key('k1');
  const box = createSecretBox([k1, key('k2')]);
  const envelope = box.seal('top secret', place);
  const middle = Math.floor(envelope.length / 2);
  const flipped = `${envelope.slice(0, middle)}${envelope[middle] === 'A' ? 'B' : 'A'}${envelope.slice(middle + 1)}`;
  for (const bad of [flipped, envelope.replace('.k1.', '.k2.'), envelope.slice(0, 20), '', 'v3.k1.AAAA', 'v2.k1.']) {
    expect(() => box.open(bad, place)).toThrow(/^(?!.*top secret)/);
  }
  expect(() => createSecretBox([key('k3')]).open(envelope, place)).toThrow(/OUTDIAL_ENCRYPTION_KEYS/);
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

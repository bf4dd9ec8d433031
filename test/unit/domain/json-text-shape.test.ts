import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { shapeProblem } from '../../../domain/input/json-shape.js';
import { shapeProblemOfText } from '../../../domain/input/json-text-shape.js';

const problemOf = (text: string, limits = {}) => shapeProblemOfText(Buffer.from(text), limits);

describe('what a JSON text holds is judged before it is read', () => {
  test.each([
    ['a list 65 deep', `{"a":{"b":[${'['.repeat(63)}${']'.repeat(63)}]}}`, 'a.b[0][0][0][0][0][0]'],
    ['an object 65 deep', `${'{"a":'.repeat(65)}1${'}'.repeat(65)}`, 'a.a.a.a.a.a.a.a'],
    ['a list 64 deep', `${'['.repeat(64)}${']'.repeat(64)}`, null],
    ['1,001 entries', `{"list":[{"of":[${'0,'.repeat(1_000)}0]}]}`, 'list[0].of'],
    ['1,000 entries', `{"list":[${'0,'.repeat(999)}0]}`, null],
    ['501 fields', `{"a":[1,{"b":{${'"k":0,'.repeat(500)}"k":0}}]}`, 'a[1].b'],
    ['more than 20,000 values', `[${`{${'"k":0,'.repeat(499)}"k":0},`.repeat(45)}0]`, ''],
    ['brackets in a text', JSON.stringify({ text: '[{,:'.repeat(10_000) }), null],
    ['a quote in a text', JSON.stringify({ text: '\\"[[[['.repeat(10_000) }), null],
    ['a name that is not closed', `{"a":[${'[],'.repeat(1_001)}"`, 'a'],
    ['a name that no JSON text can have', `{"\\x":{"a":[${'[],'.repeat(1_001)}`, '….a'],
    ['a very long name', `{"${'k'.repeat(900)}":[${'0,'.repeat(1_001)}`, '…'],
    ['lists that are never closed', '['.repeat(1_000_000), '[0][0][0][0][0][0][0][0]'],
    ['nothing', '', null],
    ['no JSON', ']]]}}}:::,,,"', null],
  ])('P1-1: %s', (_name, text, path) => {
    expect(problemOf(text)?.path ?? null).toBe(path);
  });

  test('P1-1: a text is refused if, and only if, the value that it says would be', () => {
    const limits = { mostEntries: 4, mostValues: 20 };
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 5 }), fc.boolean(), (value, spaced) => {
        const text = JSON.stringify(value, null, spaced ? 2 : 0);
        // What JavaScript gives a meaning to is found in the value, once it has been read.
        fc.pre(!/__proto__|prototype/.test(text));
        const [ofText, ofValue] = [problemOf(text, limits), shapeProblem(JSON.parse(text), limits)];
        expect(ofText === null).toBe(ofValue === null);
      }),
      { numRuns: 2_000 },
    );
  });

  test('P1-1: five million bytes of brackets, commas or quotes are judged by reading them once', () => {
    const texts = ['[', '{"a":', '{},', '"', '\\"', '"",', '0,', ' ', '[],[', '"\\u0000":'].map((piece) =>
      Buffer.alloc(5_242_880, `{"a":["${piece}`),
    );
    const wide = { mostEntries: 10_000, mostValues: 1_000_000 };
    const before = process.cpuUsage();
    for (const text of texts) shapeProblemOfText(text, wide);
    const { user, system } = process.cpuUsage(before);
    expect((user + system) / 1_000 / texts.length).toBeLessThan(250);
  });
});

import { expect, test } from 'vitest';
import { validateAgentConfig } from '../../../domain/agent-config/validate.js';
import { shapeProblem } from '../../../domain/input/json-shape.js';
import { cutText, limitProblems, mostProblems } from '../../../domain/input/problem-limit.js';

const problem = (index: number, text = 'is wrong') => ({
  path: `list[${index}]`,
  code: 'INVALID_VALUE',
  message: text,
});
const many = (count: number, text?: string) => Array.from({ length: count }, (_, index) => problem(index, text));

test('P1-1: as many problems as an answer lists are all there, in their order', () => {
  expect(limitProblems(many(mostProblems))).toEqual(many(mostProblems));
});

test('P1-1: of more problems the first are listed, and that there are more', () => {
  const listed = limitProblems(many(mostProblems + 1));
  expect(listed).toHaveLength(mostProblems + 1);
  expect(listed.at(-1)).toMatchObject({ code: 'TOO_MANY_PROBLEMS', message: expect.stringContaining('more') });
});

test.each(['a'.repeat(1_000_000), '"'.repeat(1_000_000), '\u0001'.repeat(1_000_000), '😀'.repeat(500_000)])(
  'P1-1: a hundred problems with long texts are a short answer',
  (text) => {
    const listed = limitProblems(many(mostProblems, text).map((each) => ({ ...each, path: text })));
    expect(Buffer.byteLength(JSON.stringify(listed))).toBeLessThan(65_536);
    expect(listed.length).toBeGreaterThan(1);
  },
);

test('a text is cut without leaving half of a character', () => {
  for (const most of [10, 11]) expect(cutText('😀'.repeat(20), most)).toMatch(/^(?:😀)+…$/u);
  expect(cutText('short')).toBe('short');
});

test('P1-1: an agent’s config with tens of thousands of problems lists a hundred and one', () => {
  const languages = Object.fromEntries(
    Array.from({ length: 400 }, (_, index) => [`tongue${index}`, { prompt: '', greeting: {}, wrong: 1 }]),
  );
  const context = {
    knownTools: new Set<string>(),
    knownKnowledgeBases: new Set<string>(),
    refuseUrl: () => null,
  };
  const result = validateAgentConfig({ name: 'x', languages }, context);
  expect(result.ok ? [] : result.problems).toHaveLength(mostProblems + 1);
});

const nested = (depth: number): unknown => (depth === 0 ? 1 : { a: nested(depth - 1) });
const object = (keys: number) => Object.fromEntries(Array.from({ length: keys }, (_, index) => [`k${index}`, 1]));

test.each([
  ['64 levels', nested(64), null],
  ['65 levels', nested(65), 'a.a.a.a.a.a.a.a'],
  ['500 fields', { metadata: object(500) }, null],
  ['501 fields', { metadata: object(501) }, 'metadata'],
  ['1,000 entries', { list: Array(1_000).fill(0) }, null],
  ['1,001 entries', { list: [{ of: Array(1_001).fill(0) }] }, 'list[0].of'],
  ['more than 20,000 values', Array.from({ length: 45 }, () => object(500)), ''],
  ['a long name', { ok: { ['k'.repeat(1_025)]: 1 } }, 'ok'],
  ['__proto__', JSON.parse('{"a":{"__proto__":1}}') as unknown, 'a'],
  ['constructor', { a: { constructor: 'a text is harmless' } }, null],
  ['a text', 'text', null],
  ['null', null, null],
])('D11: a body with %s is told by its shape alone', (_name, body, path) => {
  expect(shapeProblem(body)?.path ?? null).toBe(path);
});

test('D11: an operation may take longer lists, and no longer ones', () => {
  expect(shapeProblem({ list: Array(100_000).fill('') }, { mostEntries: 100_000 })).toBeNull();
  expect(shapeProblem({ list: Array(100_001).fill('') }, { mostEntries: 100_000 })).toMatchObject({ path: 'list' });
});

import { describe, expect, test } from 'vitest';
import {
  drawVariant,
  type Variant,
  variantKey,
  VariantsInput,
  weightProblems,
} from '../../../domain/batch/variants.js';

const variants: Variant[] = [
  { agentId: 'agt_a', weight: 70 },
  { agentId: 'agt_b', versionId: 'ver_b', weight: 30 },
  { agentId: 'agt_c', weight: 0 },
];
const recipient = (position: number) => ({ phoneNumber: '+14155550100', position });

// shows: batch.create.variants
test('recipients are divided by the weights, and nobody gets a variant without one', () => {
  const draws = 20_000;
  const drawn = Array.from({ length: draws }, (_, at) => variantKey(drawVariant(variants, 'batch_1', recipient(at))));
  const share = (key: string) => drawn.filter((each) => each === key).length / draws;
  expect(share('agt_a')).toBeCloseTo(0.7, 1);
  expect(share('ver_b')).toBeCloseTo(0.3, 1);
  expect(share('agt_c')).toBe(0);
});

test('a recipient draws the same again; its own id decides, wherever it stands', () => {
  const draw = (batchId: string, position: number, id?: string) =>
    variantKey(drawVariant(variants, batchId, { ...recipient(position), ...(id === undefined ? {} : { id }) }));
  for (let at = 0; at < 100; at++) {
    expect(draw('batch_1', at)).toBe(draw('batch_1', at));
    expect(draw('batch_1', at, `crm-${at}`)).toBe(draw('batch_1', at + 1_000, `crm-${at}`));
  }
  const of = (batchId: string) => Array.from({ length: 100 }, (_, at) => draw(batchId, at)).join();
  expect(of('batch_1')).not.toBe(of('batch_2'));
});

describe('refused, with what is wrong', () => {
  const a = { agentId: 'agt_a', weight: 1 };
  test.each([
    ['one alone', [a], 'must name at least 2 variants'],
    [
      'more than ten',
      Array.from({ length: 11 }, (_, at) => ({ agentId: `agt_${at}`, weight: 1 })),
      'must name at most 10 variants',
    ],
    ['the same agent twice', [a, a], 'must not name the same agent, or the same version, twice'],
    [
      'no weight at all',
      [
        { ...a, weight: 0 },
        { agentId: 'agt_b', weight: 0 },
      ],
      'must have a weight above 0',
    ],
    ['a fraction', [a, { agentId: 'agt_b', weight: 0.5 }], 'must be a whole number from 0 to 1000'],
    ['a weight below 0', [a, { agentId: 'agt_b', weight: -1 }], 'must be a whole number from 0 to 1000'],
  ])('%s', (_what, sent, message) => {
    expect(VariantsInput.safeParse(sent).error?.issues.map((issue) => issue.message)).toContain(message);
  });
});

test('only the weights of variants can be changed', () => {
  const [first, second, third] = variants as [Variant, Variant, Variant];
  expect(weightProblems(variants, [third, { ...first, weight: 1 }, second])).toEqual([]);
  expect(weightProblems(variants, [first, second])).toHaveLength(1);
  expect(weightProblems(variants, [first, { agentId: 'agt_b', weight: 30 }, third])).toHaveLength(1);
  expect(weightProblems(undefined, variants)).toHaveLength(1);
  expect(weightProblems(variants, undefined)).toEqual([]);
});

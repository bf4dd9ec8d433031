import fc from 'fast-check';
import { expect, test } from 'vitest';
import { splitPassages } from '../../../knowledge/split-passages.js';

const split = (text: string) => [...splitPassages(text)];
const sentence = 'Orders can be returned within thirty days of delivery, free of charge. ';

test('a short text is one passage', () => {
  expect(split('One.\n\nTwo.')).toEqual(['One.\n\nTwo.']);
});

test('paragraphs are kept whole, as many together as fit', () => {
  const paragraph = sentence.repeat(5).trim();
  expect(split([paragraph, paragraph, paragraph].join('\n\n'))).toEqual([`${paragraph}\n\n${paragraph}`, paragraph]);
});

test('a long paragraph is cut between sentences', () => {
  const passages = split(sentence.repeat(60));
  expect(passages.length).toBeGreaterThan(3);
  for (const passage of passages) expect(passage).toMatch(/^Orders.*charge\.$/s);
});

test('a heading goes with what it stands over', () => {
  const paragraph = sentence.repeat(12).trim();
  expect(split(`${paragraph}\n\nShipping\n\n${paragraph}`)).toEqual([paragraph, `Shipping\n\n${paragraph}`]);
});

test('whatever a text is, nothing of it is lost, nothing is too long, and no character is cut in two', () => {
  const texts = fc.array(
    fc.oneof(fc.constantFrom('\n\n', '\n', '. ', ' ', '😀', '。'), fc.string({ unit: 'grapheme', maxLength: 40 })),
    { maxLength: 400 },
  );
  fc.assert(
    fc.property(texts, (parts) => {
      const text = parts.join('');
      const passages = split(text);
      expect(passages.join('').replace(/\s/g, '')).toBe(text.replace(/\s/g, ''));
      for (const passage of passages) {
        expect(passage.length).toBeLessThanOrEqual(1_500);
        expect(passage.trim()).not.toBe('');
        expect(passage).not.toMatch(/^[\udc00-\udfff]|[\ud800-\udbff]$/);
      }
    }),
    { numRuns: 200 },
  );
});

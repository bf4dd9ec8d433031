import { expect, test } from 'vitest';
import { fitsSchema } from '../../../activities/fits-schema.js';
import { objectOfAnswer } from '../../../domain/agent/analysis-prompt.js';
import { type AnalysisSchema, successOf } from '../../../domain/agent/call-analysis.js';
import { simulatedAnalysis } from '../../../domain/agent/simulated-analysis.js';

const schema: AnalysisSchema = {
  properties: {
    agreed: { type: 'boolean' },
    optedOut: { type: 'boolean', description: 'Asked not to be called again' },
    topic: { type: 'string', enum: ['billing', 'appointment'] },
    on: { type: 'string', format: 'date' },
    said: { type: 'string' },
    amount: { type: 'number' },
  },
  required: ['agreed'],
};

test.each([
  ['{"a":1}', { a: 1 }],
  ['```json\n{"a": null, "b": false}\n```', { b: false }],
  ['[1]', null],
  ['"text"', null],
  ['null', null],
  ['I think {"a":1}', null],
  ['', null],
])('a model’s answer %j is the object %j', (answer, object) => expect(objectOfAnswer(answer)).toEqual(object));

test.each([
  [{ agreed: true }, []],
  [{ agreed: true, on: '2028-02-29', topic: 'billing', amount: 1.5 }, []],
  [{}, ["the object must have required property 'agreed'"]],
  [{ agreed: true, on: '2026-02-29' }, ['on must match format "date"']],
  [{ agreed: true, on: 'Monday' }, ['on must match format "date"']],
  [{ agreed: 1, topic: 'x' }, ['agreed must be boolean', expect.stringMatching(/^topic .*"billing"/)]],
  [{ agreed: true, amount: '12' }, ['amount must be number']],
  [{ agreed: true, said: 'x'.repeat(2_001) }, ['said must NOT have more than 2000 characters']],
  [JSON.parse('{"agreed": true, "__proto__": 1}') as object, [expect.stringContaining('__proto__')]],
])('%j fits the schema but for %j', async (answer, problems) => {
  const checked = await fitsSchema(schema, { ...answer });
  expect(checked).toEqual(problems.length === 0 ? answer : problems);
});

const talk = (...callee: string[]) => [
  { speaker: 'agent', text: 'I am calling about your appointment.', at: '2026-03-02T09:30:00.000Z' },
  ...callee.map((text) => ({ speaker: 'callee', text, at: '2026-03-02T09:30:09.000Z' })),
];

test('a simulated analysis fits the schema and follows from the words of the call', async () => {
  const willing = simulatedAnalysis(schema, talk('Yes, that suits.', 'Next week, 3 of us. Thank you.'));
  expect(willing).toEqual({
    ...{ agreed: true, optedOut: false, topic: 'appointment', on: '2026-03-09', amount: 3 },
    said: 'Simulated: next week, 3 of us. thank you.',
  });
  expect(await fitsSchema(schema, willing)).toEqual(willing);
  const unwilling = simulatedAnalysis(schema, talk('I am not interested, please do not call again.'));
  expect(unwilling).toMatchObject({ agreed: false, optedOut: true, on: '2026-03-02' });
  expect(simulatedAnalysis(schema, [])).toMatchObject({ agreed: false, said: 'Simulated: the callee said nothing' });
});

test('success is the value of the property that is named, and nothing if there is none', () => {
  expect(successOf({ kept: true }, 'kept')).toBe(true);
  expect(successOf({ kept: false }, 'kept')).toBe(false);
  expect(successOf({ kept: 'yes' }, 'kept')).toBeNull();
  expect(successOf({}, 'toString')).toBeNull();
  expect(successOf({ kept: true }, undefined)).toBeNull();
});

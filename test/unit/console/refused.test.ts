import { expect, test } from 'vitest';
import { refusal } from '../../../console/api/refused.js';

test('problems that the API names in one text stand at their fields', () => {
  const error =
    'name: must not be blank; retry.retryOn[0]: must be one of failed; missed; maxConcurrentCalls: must be at least 1';
  expect(refusal(400, { error }).problems).toEqual([
    { path: 'name', message: 'must not be blank' },
    { path: 'retry.retryOn[0]', message: 'must be one of failed; missed' },
    { path: 'maxConcurrentCalls', message: 'must be at least 1' },
  ]);
});

test('problems that the API lists are taken from its list', () => {
  const { message, problems } = refusal(400, { message: 'Invalid', errors: ['name: is required'] });
  expect({ message, problems }).toEqual({ message: 'Invalid', problems: [{ path: 'name', message: 'is required' }] });
});

test.each([
  [409, 'The status: it is over'],
  [400, 'No number of this batch call that is missed can be called again'],
])('a sentence stays a sentence (%i %s)', (status, error) => {
  expect(refusal(status, { error })).toMatchObject({ message: error, problems: [] });
});

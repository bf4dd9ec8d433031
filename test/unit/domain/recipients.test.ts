import { describe, expect, test } from 'vitest';
import { formOfJson } from '../../../domain/batch/form-json.js';
import { readBatchForm } from '../../../domain/batch/form.js';
import { languageProblems, mostRecipients, readRecipients } from '../../../domain/batch/recipients.js';

const linesOf = (value: unknown) => {
  const read = readRecipients(value);
  return 'problems' in read ? read.problems.map(({ path, message }) => `${path}: ${message}`) : [];
};

const phoneNumber = '+14155550123';

describe('recipients', () => {
  test('every problem is named at once, with the index and the field', () => {
    expect(
      linesOf([
        { phoneNumber },
        { id: '', phoneNumber: 7 },
        { phoneNumber, timezone: 'Mars/Olympus', colour: 'red' },
        { phoneNumber, id: 'a', headers: { Host: 'x' } },
        'a number',
      ]).map((line) => line.split(': ')[0]),
    ).toEqual([
      'recipients[1].phoneNumber',
      'recipients[1].id',
      'recipients[2].timezone',
      'recipients[2].colour',
      'recipients[3].headers.Host',
      'recipients[4]',
    ]);
  });

  test('priority is 1 to 9, notBefore an instant with its offset', () => {
    expect(
      linesOf([
        { phoneNumber, priority: 1, notBefore: '2027-03-01T09:30:00Z' },
        { phoneNumber, priority: 9 },
      ]),
    ).toEqual([]);
    const wrong = [{ priority: 0 }, { priority: 10 }, { priority: 1.5 }, { notBefore: '2027-03-01T09:30:00' }];
    expect(linesOf(wrong.map((each) => ({ phoneNumber, ...each })))).toHaveLength(4);
  });

  test('an id names one recipient', () => {
    expect(linesOf([{ phoneNumber, id: 'a' }, { phoneNumber }, { phoneNumber, id: 'a' }])).toEqual([
      'recipients[2].id: is the same as that of recipients[0]',
    ]);
  });

  test('1 to 10,000 are taken, and ids of up to 128 characters', () => {
    expect(linesOf(undefined)).toEqual(['recipients: is required']);
    expect(linesOf({})).toEqual(['recipients: must be an array']);
    expect(linesOf([])).toEqual(['recipients: must have 1 to 10000 entries, and has 0']);
    expect(linesOf(Array.from({ length: mostRecipients + 1 }, () => ({ phoneNumber })))).toHaveLength(1);
    expect(linesOf(Array.from({ length: mostRecipients }, () => ({ phoneNumber })))).toEqual([]);
    expect(linesOf([{ phoneNumber, id: 'x'.repeat(128) }])).toEqual([]);
    expect(linesOf([{ phoneNumber, id: 'x'.repeat(129) }])).toHaveLength(1);
  });

  test('their metadata has at most 200 different names, as a file has columns', () => {
    const named = (count: number) => [
      { phoneNumber, metadata: Object.fromEntries(Array.from({ length: count }, (_, index) => [`n${index}`, index])) },
    ];
    expect(linesOf(named(200))).toEqual([]);
    expect(linesOf(named(201))).toHaveLength(1);
  });

  test('a language is one of the agent’s, by name or code', () => {
    const asked = ['english', 'EN-us', 'klingon'].map((language) => ({ phoneNumber, language }));
    expect(languageProblems(asked, ['english', 'hindi'])).toMatchObject([
      { path: 'recipients[2].language', message: 'must be one of english, hindi' },
    ]);
  });
});

describe('fields of a form as JSON', () => {
  const context = { now: new Date('2026-11-21T14:28:00Z'), endpointProblem: () => null };
  const read = (body: unknown) => readBatchForm(formOfJson(body, []), context);

  test('say what the form says', () => {
    const window = { from: '09:00', until: '20:00', timezone: 'recipient' };
    const body = { name: 'R', phoneNumber, callingWindow: window, maxConcurrentCalls: 3, duplicates: 'skip' };
    expect(read(body)).toMatchObject({
      form: { extension: 'json', name: 'R', callingWindow: window, maxConcurrentCalls: 3, duplicates: 'skip' },
    });
  });

  test('have the types of JSON: a text in place of an object or a number is a problem, and so is an unknown field', () => {
    const body = {
      name: 7,
      phoneNumber,
      maxConcurrentCalls: '3',
      retry: '{"retryOn":["missed"]}',
      colour: 1,
      file: 'x',
    };
    const found = read(body);
    expect('problems' in found && found.problems.map(({ path }) => path).toSorted()).toEqual([
      'colour',
      'file',
      'maxConcurrentCalls',
      'name',
      'retry',
    ]);
  });
});

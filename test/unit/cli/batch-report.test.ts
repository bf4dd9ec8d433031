import { expect, test } from 'vitest';
import { linesOfReport } from '../../../cli/client/batch/report.js';

const report = {
  ...{ valid: true, parseError: null, rows: 2, recordsUploaded: 2, recordsRejected: 0, rejected: [] },
  ...{ recordsCorrected: 0, corrected: [], unfilledPlaceholders: [], dialingStopped: false, heldBack: [] },
  ...{ startsAt: '2027-01-31T09:30:00.000Z', firstCallAt: '2027-01-31T09:30:00.000Z' },
};
const estimate = { seconds: 61, basis: '2 calls of 60 s each.' };
const wordsOf = (cost?: object) =>
  linesOfReport({ ...report, estimate: cost === undefined ? estimate : { ...estimate, cost } }, 'people.csv').join(
    '\n',
  );

const cost = { low: 2.4, high: 18.125, currency: 'INR', withoutPrice: 0, basis: 'As is assumed.' };

// shows: batches.validate.cost
test.each([
  [cost, 'It costs about 2.4 to 18.13 INR (As is assumed).'],
  [{ ...cost, low: 0.000012, high: 1_234.5 }, 'It costs about 0.000012 to 1,234.5 INR'],
  [
    { ...cost, low: 18.125, withoutPrice: 7 },
    'about 18.13 INR (As is assumed). 7 numbers have no price: their minutes are not in it.',
  ],
])('the dry run tells a person what the calls are likely to cost: %o', (said, words) => {
  expect(wordsOf(said)).toContain(words);
});

test('without prices, and of an older service, nothing is said of costs', () => {
  expect(wordsOf()).toContain('takes about 61 s');
  expect(wordsOf()).not.toContain('costs');
});

const unfilledBy = (columns: readonly string[], ...placeholders: readonly string[]) =>
  linesOfReport(
    {
      ...{ ...report, estimate, columns: ['phone_number', ...columns] },
      unfilledPlaceholders: placeholders.map((placeholder) => ({ path: 'languages.english.prompt', placeholder })),
    },
    'people.csv',
  ).at(-1);

test.each([
  [
    ['Name', 'Due date'],
    ['name', 'due_date', 'name'],
    `"Name", "Due date". To fill them: --column name=Name --column 'due_date=Due date'`,
  ],
  [["It's"], ['its'], `"It's". To fill them: --column 'its=It'\\''s'`],
  [['Firm'], ['name'], '"Firm". To fill them: --column placeholder=header'],
])('of a file with the columns %o the dry run says how to fill {{%s}}', (columns, placeholders, words) => {
  expect(unfilledBy(columns, ...placeholders)).toBe(`  The file has ${words}`);
});

test('a file without other columns is offered for no placeholder', () => {
  expect(unfilledBy([], 'name')).toContain('{{name}}');
});

import type { Section } from './statement.js';

const create = 'api/batch-calls/create';
const form = 'unit/domain/batch-form';
const rows = 'unit/contacts/rows';
const csv = 'unit/contacts/csv';
const workbook = 'unit/contacts/workbook';

export const apiBatchRows: readonly Section[] = [
  {
    source: 'api',
    heading: 'Batch calls: schedule, retry, webhook, window',
    statements: [
      [
        'schedule.gap',
        'A time that the clocks skip is refused',
        `${create}/400: a schedule at %s`,
        'property/schedule: near a change of clocks',
      ],
      ['schedule.twice', 'A time that comes twice is the earlier', 'unit/domain/schedule: of a time that comes twice'],
      [
        'schedule.minute',
        'The current minute starts at once, before it is refused',
        `${create}/201: a schedule in the minute`,
        'unit/domain/schedule: begins with the minute',
      ],
      ['schedule.year', 'More than a year ahead is refused', 'unit/domain/schedule: a start may be a year'],
      ['schedule.offsets', 'Offsets are no zone', 'unit/domain/schedule: the offset %s'],
      [
        'retry.ranges',
        'retryOn has 1 to 5 values, retryDelays 1 to 5 seconds of 1 to 604800',
        `${form}: %s is refused`,
      ],
      [
        'retry.response',
        'maxAttempts is the number of delays; without retry all is empty',
        `${create}/201: a full form`,
        `${create}/201: the smallest form`,
      ],
      [
        'retry.once-more',
        'Nobody is dialed more than once more than there are delays',
        'property/retry: a call is dialed at most',
      ],
      [
        'webhook.https',
        'An endpoint is https, and not private',
        `${create}/400: a webhook to %s`,
        'security/ssrf: %j is refused',
      ],
      [
        'webhook.private',
        'An address that turns out private is refused at delivery',
        'security/ssrf: a name that leads',
      ],
      [
        'window.hours',
        'Calls start in the window only',
        'unit/domain/calling-window: inside the window',
        'integration/orchestration/queue-attempts: outside the calling window',
      ],
      [
        'window.recipient',
        'recipient takes the row’s zone, else the number’s, else the batch’s',
        'unit/domain/calling-window: the recipient',
        'integration/orchestration/queue-attempts: a window by the recipients',
      ],
      [
        'window.several-zones',
        'A number of several zones is called when all are open',
        'unit/domain/calling-window: with several zones',
      ],
      ['batch.own-concurrency', 'maxConcurrentCalls bounds a batch', 'integration/dialer/admission: a batch keeps'],
      [
        'batch.duplicates',
        'duplicates: call skips identical rows, skip calls each number once',
        `${rows}: call: identical rows`,
        `${rows}: skip: each number`,
      ],
      ['batch.never-twice', 'Never two live calls to one number', 'integration/dialer/dialing: the same number'],
      ['batch.missing-plus', 'missingPlus: reject or add', `${rows}: reject: a number`, `${rows}: add: the +`],
      [
        'batch.rechecked',
        'Agent, rule, number and gateway are checked again at the start',
        'workflow/batch-call: what has become unusable',
        'api/batch-calls/resume/200: %s',
      ],
    ],
  },
  {
    source: 'api',
    heading: 'Batch calls: rows',
    statements: [
      ['rows.near-miss', 'A near miss of phone_number is named', `${csv}: %j is a near miss`],
      ['rows.delimiters', 'Comma, semicolon and tab are found out', `${csv}: cells are divided by`],
      ['rows.encodings', 'UTF-8, UTF-16 and Windows-1252 are read', `${csv}: %s is read`],
      [
        'rows.corrected',
        'Spaces, dashes and brackets are taken out and reported',
        'unit/domain/phone-number-cell: the result counts',
        `${rows}: %j`,
      ],
      [
        'rows.excel',
        'A number that Excel broke is told how to mend',
        'unit/domain/phone-number-cell: %j is %s',
        `${workbook}: a number typed into Excel`,
      ],
      [
        'rows.plus-hint',
        'When most lack the +, the message says so',
        `${rows}: the summary says so`,
        `${csv}: only numbers without +`,
      ],
      [
        'rows.bad-rows',
        'Bad rows never sink the good ones',
        `${rows}: bad rows never sink`,
        'workflow/batch-call: bad and corrected rows are kept',
      ],
      ['rows.do-not-call', 'A number on the do-not-call list is rejected', `${rows}: a number on the do-not-call list`],
      [
        'rows.unusable',
        'A file without header or good row is unusable',
        `${csv}: no rows at all`,
        `${csv}: only bad rows`,
      ],
      [
        'rows.zip-bomb',
        'A zip bomb is unusable',
        'security/zip-bombs: one sheet that unpacks',
        'security/zip-bombs: parts that are not read',
      ],
      [
        'rows.encrypted',
        'An encrypted workbook is unusable',
        `${workbook}: .xlsx, an OLE container`,
        `${workbook}: .xls, with a FilePass`,
      ],
      [
        'rows.columns',
        'Duplicate columns and more than 200 are unusable',
        `${csv}: the same column twice`,
        `${csv}: 200 columns`,
      ],
      [
        'rows.rejected',
        'recordsRejected counts the others, and they are listed',
        'api/batch-calls/rejected-rows/200: rows that are not called',
      ],
      [
        'rows.values',
        'Values are strings: ISO dates, plain decimals, the value of a formula',
        `${workbook}: cells are read as they are stored`,
      ],
      [
        'rows.proto',
        'Any column name survives',
        'api/batch-calls/records/200: any name of a column',
        'property/contacts-files: any text in any column survives a CSV',
      ],
      ['rows.16kb', 'A call’s metadata is at most 16 KB', `${rows}: 16 KB are accepted`],
      ['rows.first-sheet', 'The first sheet counts', `${workbook}: the first sheet counts`],
      ['rows.blank-header', 'A blank header over data is named', `${csv}: a blank header`],
      [
        'rows.quote',
        'An unbalanced quote names its line',
        `${csv}: a cell that is never closed`,
        'property/contacts-files: a quote is called unbalanced',
      ],
      ['rows.nul', 'NULs are taken out', `${csv}: NULs are removed`],
      [
        'rows.many',
        '370,000 numbers work like any other file',
        'e2e/large-file: a 5 MB file',
        'unit/contacts/large-file: D6: a CSV of 374,000',
      ],
    ],
  },
];

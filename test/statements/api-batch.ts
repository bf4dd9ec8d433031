import type { Section } from './statement.js';

const create = 'api/batch-calls/create';
const form = 'unit/domain/batch-form';
const rows = 'unit/contacts/rows';
const csv = 'unit/contacts/csv';
const workbook = 'unit/contacts/workbook';

export const apiBatch: readonly Section[] = [
  {
    source: 'api',
    heading: 'Batch calls: create',
    statements: [
      [
        'batch.create.required',
        'file, name and one of phoneNumber and phoneNumberId are required',
        `${create}/400: an empty form`,
        `${form}: an empty form`,
      ],
      [
        'batch.create.phone-number-both-differ',
        'Number and id that do not agree are refused',
        `${create}/400: a number and the id of another`,
      ],
      [
        'batch.create.rules',
        'Several rules and none named, a rule of another number, an inactive agent: 400 {error}',
        `${create}/400: several outbound rules`,
        `${create}/400: a rule of another number`,
        `${create}/400: an inactive agent`,
      ],
      ['batch.create.unknown-rule', 'An unknown rule is 404 {error}', `${create}/404: a rule that the account`],
      ['batch.create.unknown-number', 'An unknown number is 404 {message}', `${create}/404: a number that the account`],
      ['batch.create.all-problems', 'All problems of the form at once', `${create}/400: problems of many fields`],
      [
        'batch.create.unknown-fields',
        'Unknown form fields are refused',
        `${form}: every problem of every field`,
        `${form}: names of object members`,
      ],
      [
        'batch.create.5242880',
        '5,242,880 bytes are taken, one more is 413',
        `${create}/201: a file of exactly`,
        `${create}/413: a file of 5,242,881 bytes`,
      ],
      ['batch.create.streams', 'The upload is refused while it streams', `${create}/413: it is refused while`],
      [
        'batch.create.extension',
        'file.extension has no dot, the key names the stored file',
        `${create}/201: the smallest form`,
      ],
      [
        'batch.create.races',
        'What a batch needs is locked while it is created',
        `${create}/races: a batch that is created`,
      ],
    ],
  },
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
        'workflow/batch-call: bad rows are kept',
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
        'unit/contacts/large-file: a CSV of 374,000',
      ],
    ],
  },
  {
    source: 'api',
    heading: 'Batch calls: operations',
    statements: [
      [
        'batches.list',
        'The list has status, search, dates and progress',
        'api/batch-calls/list/200: newest first',
        'api/batch-calls/list/200: %s',
      ],
      [
        'batches.get',
        'GET adds pause, counts, progress and times',
        'api/batch-calls/get/200: a running batch',
        'api/batch-calls/get/200: a pause',
      ],
      [
        'batches.cancel',
        'cancel is 202 at cancelling; nobody is dialed afterwards',
        'api/batch-calls/cancel/202: a batch that is %s',
        'e2e/cancel: after the answer',
      ],
      ['batches.cancel.graceful', 'graceful lets live calls finish', 'workflow/batch-cancel: a graceful cancel lets'],
      ['batches.cancel.immediate', 'immediate hangs them up', 'workflow/batch-cancel: an immediate cancel'],
      [
        'batches.cancel.again',
        'Cancelling again changes nothing; 409 once finished',
        'api/batch-calls/cancel/202: the same mode',
        'api/batch-calls/cancel/409: a batch that is %s',
      ],
      [
        'batches.cancel.any-state',
        'From parsing and scheduled too',
        'workflow/batch-cancel: a cancel while the file',
        'workflow/batch-cancel: a cancel of a scheduled',
      ],
      [
        'batches.cancel.end',
        'What dropped somebody ends cancelled, what dropped nobody completed',
        'workflow/batch-cancel: a cancel after the last outcome',
        'workflow/batch-cancel: a cancel drops retries',
      ],
      [
        'batches.pause',
        'pause and resume flip paused and leave the status',
        'api/batch-calls/pause/200: a batch that is %s',
        'api/batch-calls/resume/200: a paused batch',
        'e2e/batch: a paused batch',
      ],
      [
        'batches.pause.409',
        '409 when finished',
        'api/batch-calls/pause/409: a batch that is %s',
        'api/batch-calls/resume/409: a batch that is %s',
      ],
      [
        'batches.stats',
        'stats add up to total',
        'api/batch-calls/stats/200: every status',
        'integration/orchestration/counters: a batch',
      ],
      [
        'batches.records',
        'records have status, attempts and outcome',
        'api/batch-calls/records/200: records come',
        'api/batch-calls/records/200: %s',
      ],
      [
        'batches.rejected',
        'rejected-rows have row, value, reason and message',
        'api/batch-calls/rejected-rows/200: rows that are not called',
      ],
    ],
  },
  {
    source: 'api',
    heading: 'Webhooks',
    statements: [
      ['webhooks.standard', 'Signed as Standard Webhooks has it', 'workflow/deliver-webhook: what is delivered'],
      ['webhooks.frozen', 'The payload is frozen at the transition', 'workflow/deliver-webhook: what is delivered'],
      [
        'webhooks.once',
        'Each event exists once',
        'workflow/batch-call: a file that cannot be used',
        'e2e/batch: bad rows are listed',
      ],
      [
        'webhooks.redirects',
        'Redirects are not followed',
        'security/ssrf: a redirect',
        'workflow/deliver-webhook: anything but 2xx',
      ],
      [
        'webhooks.retries',
        'Everything but 2xx is tried again for 24 hours under the same id',
        'workflow/deliver-webhook: anything but 2xx',
        'unit/domain/webhook-retry: a webhook that nobody takes',
      ],
      ['webhooks.failed', 'Then the delivery has failed', 'workflow/deliver-webhook: after a day'],
      [
        'webhooks.rotation',
        'While the secret is replaced both sign',
        'workflow/deliver-webhook: while a secret',
        'api/account/rotate-webhook-secret/200: a delivery',
      ],
    ],
  },
];

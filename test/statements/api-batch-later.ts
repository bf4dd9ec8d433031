import type { Section } from './statement.js';

const batches = 'api/batch-calls';

export const apiBatchLater: readonly Section[] = [
  {
    source: 'api',
    heading: 'Batch calls: change, delete, export, retry, dry run, deliveries',
    statements: [
      ['batches.patch', 'PATCH changes name and description', `${batches}/update/200: name and description`],
      [
        'batches.patch.schedule',
        'The schedule moves while parsing or scheduled',
        `${batches}/update/200: of a batch that is %s is moved`,
        `${batches}/update/409: the start of a batch`,
        'workflow/batch-change: a start that is moved to an earlier time',
      ],
      [
        'batches.patch.running',
        'Window, concurrency and retry change until it ends',
        `${batches}/update/200: a calling window`,
        `${batches}/update/200: retry and maxConcurrentCalls`,
        'workflow/batch-change: a window that is narrowed',
      ],
      [
        'batches.delete',
        'DELETE of a finished one takes everything; counts stay in the audit log',
        `${batches}/delete/200: a batch that is %s`,
        `${batches}/delete/200: no operation finds it`,
      ],
      ['batches.delete.409', 'Only a finished one is deleted', `${batches}/delete/409: a batch that is %s`],
      [
        'batches.export',
        'The export has the columns of the upload, then the results',
        `${batches}/export/200: the columns of the upload`,
        `${batches}/export/200: a large batch`,
      ],
      [
        'batches.export.formulas',
        'Cells that a spreadsheet would run are defused',
        `${batches}/export/200: cells that a spreadsheet`,
      ],
      [
        'batches.retry',
        'retry makes a new batch of the unsuccessful ones, linked by retriedFrom',
        `${batches}/retry/201: a new batch`,
        `${batches}/retry/201: the five unsuccessful`,
      ],
      ['batches.retry.finished', 'Only a finished one is retried', `${batches}/retry/409: a batch that is %s`],
      ['batches.validate', 'The dry run reports and stores nothing', `${batches}/validate/200: a report says`],
      [
        'batches.validate.report',
        'It names rejected rows, placeholders that nothing fills, and an estimate',
        `${batches}/validate/200: the first 100`,
        `${batches}/validate/200: placeholders`,
        `${batches}/validate/200: the estimate`,
      ],
      [
        'batches.deliveries',
        'Every attempt of a delivery is told',
        `${batches}/webhook-deliveries/200: every delivery`,
      ],
      ['batches.redeliver', 'A delivery can be made again', `${batches}/redeliver/202: a delivery that is %s`],
      [
        'batches.stable-lists',
        'Lists stay whole while rows are inserted',
        `${batches}/list/paging: whoever pages`,
        `${batches}/list/paging: records are seen once`,
      ],
    ],
  },
  {
    source: 'api',
    heading: 'Retention',
    statements: [
      ['retention.deleted', 'What is older than its time is deleted', 'workflow/retention: what is older'],
      ['retention.resumes', 'A round that fails goes on', 'workflow/retention: a round that fails'],
    ],
  },
];

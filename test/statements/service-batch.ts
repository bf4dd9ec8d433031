import type { Section } from './statement.js';

const create = 'api/batch-calls/create';
const flow = 'workflow/batch-call';
const form = 'unit/domain/batch-form';
const contacts = 'unit/contacts';

export const serviceBatch: readonly Section[] = [
  {
    source: 'service',
    heading: 'Batch call (response)',
    statements: [
      [
        'batch.fields',
        'A batch call has every field of the contract',
        `${create}/201: the smallest form`,
        `${create}/201: a full form`,
      ],
      [
        'batch.timing',
        'timing is scheduled where a schedule was sent, otherwise immediate',
        `${create}/201: a full form`,
        `${create}/201: the smallest form`,
      ],
      [
        'batch.schedule-fields',
        'scheduledDate and scheduledTime are those of the schedule',
        `${create}/201: a full form`,
      ],
      ['batch.retry-object', 'retry is {enabled, retryOn, retryDelays, maxAttempts}', `${create}/201: a full form`],
      [
        'batch.records-uploaded',
        'recordsUploaded is 0 until the file has been read, then the numbers read',
        'api/batch-calls/get/200: before its file is read',
        `${flow}: a file of five rows`,
      ],
      [
        'batch.parse-error',
        'parseError is null, or why the file cannot be used',
        'api/batch-calls/get/200: a file that cannot be used',
        `${create}/201: the smallest form`,
      ],
      ['batch.file', 'file is {filename, extension, key}', `${create}/201: the smallest form`],
      ['batch.timestamp', 'timestamp is the start in Unix seconds', `${create}/201: a full form`],
    ],
  },
  {
    source: 'service',
    heading: 'Batch call status',
    statements: [
      [
        'batch.state.parsing',
        'An accepted file makes a batch call at parsing, without calls',
        `${create}/201: the smallest form`,
      ],
      ['batch.state.running', 'Without a schedule it runs when the file has been read', `${flow}: a file of five rows`],
      [
        'batch.state.scheduled',
        'With a schedule it waits for its time',
        'workflow/batch-schedule: a scheduled batch calls nobody',
        'e2e/batch: a scheduled batch waits',
      ],
      [
        'batch.state.parse-failed',
        'A file that cannot be used ends it at parse_failed',
        `${flow}: a file that cannot be used`,
        'e2e/batch: a file nobody can be called from',
      ],
      ['batch.state.started', 'At its start time it runs', 'workflow/batch-schedule: a schedule that was moved'],
      [
        'batch.state.completed',
        'When every number has been called, retries included, it is completed',
        `${flow}: a file of five rows`,
        'e2e/batch: retries come after',
      ],
      [
        'batch.state.cancelled',
        'cancelling while a cancel goes on, cancelled when it stopped before every number was called',
        'workflow/batch-cancel: a graceful cancel lets',
        'unit/domain/batch-call: every way is one',
      ],
    ],
  },
  {
    source: 'service',
    heading: 'POST /v1/batch-calls',
    statements: [
      [
        'batch.create.types',
        'Files are .csv, .xls or .xlsx',
        `${create}/400: %s`,
        `${contacts}/workbook: csv, xls and xlsx`,
      ],
      [
        'batch.create.size',
        'A file has at most 5 MB',
        `${create}/413: a file of 5,242,881 bytes`,
        `${create}/201: a file of exactly`,
      ],
      [
        'batch.create.header',
        'The first row is the header and needs phone_number',
        `${contacts}/csv: without a phone_number column`,
        `${contacts}/csv: %j is phone_number`,
      ],
      [
        'batch.create.metadata',
        'Every other column is metadata of its call',
        `${contacts}/rows: every other column`,
        'api/batch-calls/records/200: any name of a column',
      ],
      ['batch.create.name', 'name has at most 256 characters', `${form}: %s may have %i characters`],
      ['batch.create.description', 'description has at most 1000 characters', `${form}: %s may have %i characters`],
      [
        'batch.create.number',
        'The number must be on the account',
        `${create}/404: a number that the account does not have`,
      ],
      ['batch.create.number-id', 'The number may be named by its id instead', `${create}/201: the number may be named`],
      [
        'batch.create.rule-left-out',
        'routingRuleId may be left out where the number has exactly one outbound rule',
        `${create}/201: the smallest form`,
        `${create}/400: several outbound rules`,
      ],
      ['batch.create.rule-named', 'A named rule picks the agent', `${create}/201: of several rules`],
      [
        'batch.create.schedule',
        'schedule is JSON with date and time, and timezone by default Asia/Calcutta',
        `${form}: a full form is read`,
        'unit/domain/schedule: without a zone',
      ],
      [
        'batch.create.retry',
        'retry is JSON with retryOn and retryDelays, both required',
        `${form}: %s is refused`,
        `${form}: a full form is read`,
      ],
      [
        'batch.create.retry-on',
        'retryOn takes failed, not-answered, rejected, missed, abandoned',
        `${form}: a full form is read`,
        'unit/domain/retry: only an outcome',
      ],
      [
        'batch.create.retry-delays',
        'retryDelays are seconds before each retry, at most 5',
        'unit/domain/retry: waits the delay',
        `${form}: %s is refused`,
      ],
      [
        'batch.create.no-retry',
        'Without retry each number is called once',
        'unit/domain/retry: a batch without a plan',
      ],
      [
        'batch.create.webhook',
        'webhook is JSON with endpoint and at least one event',
        `${form}: every problem of every field`,
      ],
      ['batch.create.webhook-keys', 'Unknown keys in webhook are refused', `${form}: every problem of every field`],
      ['batch.create.no-gateway', 'The number needs an outbound gateway', `${create}/400: no outbound gateway`],
      ['batch.create.no-rule', 'The number needs an outbound rule with an agent', `${create}/400: no outbound rule`],
      [
        'batch.create.starts-itself',
        'It starts by itself when the file has been read',
        `${flow}: a file of five rows`,
        'e2e/batch: csv, xls and xlsx',
      ],
    ],
  },
  {
    source: 'service',
    heading: 'GET /v1/batch-calls/{batchId} and events',
    statements: [
      [
        'batch.get',
        'The batch call with its current status',
        'api/batch-calls/get/200: a running batch',
        `${create}/201: GET gives it back`,
      ],
      ['batch.get.404', 'One that does not exist is {message}', 'api/batch-calls/get/404: another account'],
      [
        'batch.webhook.body',
        'An event posts batchId, batchName, status and recordsUploaded as JSON',
        'e2e/batch: bad rows are listed',
        'workflow/deliver-webhook: what is delivered',
      ],
      ['batch.webhook.chosen', 'Only events that were asked for are posted', `${flow}: a file that cannot be used`],
    ],
  },
];

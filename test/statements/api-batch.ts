import type { Section } from './statement.js';

const create = 'api/batch-calls/create';
const form = 'unit/domain/batch-form';

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

import type { Section } from './section.js';

export const recipientsByApi: Section = {
  heading: 'Recipients by API',
  statements: {
    'recipients.json': 'A batch call is made from recipients in JSON, with the fields of the form as values',
    'recipients.records': 'Ids, metadata, time zone, language and headers of a recipient are kept; its id is shown',
    'recipients.rejected': 'Recipients that cannot be called are rejected rows, with index and id',
    'recipients.problems': 'All problems of a request are named at once, with index and field',
    'recipients.priority': 'Within a batch those of priority 1 are dialed first, those of 9 last; default 5',
    'recipients.not-before': 'No recipient is dialed before its notBefore',
    'recipients.columns': 'A file may have the columns priority, not_before and language',
    'recipients.add': 'Recipients are added while a batch is parsing, scheduled or running',
    'recipients.add.409': 'Later that is 409',
    'recipients.repeat': 'A request to add that is repeated adds nobody twice',
    'recipients.open': 'An open batch does not complete by itself; close lets it end',
    'recipients.open.lost': 'An open batch whose workflows are lost is built again from Postgres',
    'recipients.close': 'close and PATCH end the waiting of an open batch',
    'recipients.kill': 'Added recipients are dialed exactly once, whatever process is killed meanwhile',
    'recipients.skip': 'A recipient that is skipped before it is dialed, or before a retry, is never called again',
    'recipients.skip.409': 'While it is being called, or once it is over, skipping it is 409',
    'recipients.patch': 'Metadata, notBefore and priority of a recipient that was never dialed are changed',
    'recipients.patch.409': 'While it is being called, once it was dialed, and once it is over, that is 409',
    'recipients.patch.race': 'A changed notBefore holds with several dialers at work, by the carrier’s ledger',
    'recipients.patch.gate': 'The gate itself lets no call out before its notBefore',
    'recipients.again':
      'A recipient whose call is over is called again while the batch runs, once, outside the retry plan',
    'recipients.again.kill': 'Each that is called again is dialed once more, whatever process is killed meanwhile',
    'recipients.callback':
      'A recipient is called back at the time that was promised, once, outside the retry plan, and waits for it until then',
    'callbacks.agent':
      'The agent promises a call at a time that the callee names, by their own clock, and says it back',
    'recipients.callback.409':
      'If the recipient was never called, or the batch does not run, that is 409 with the reason',
    'recipients.again.409': 'While it is called or waits, or the batch does not run, that is 409 with the reason',
    'recipients.waiting-number':
      'Those who wait for the limits of a number are counted, with the instant when it calls again',
    'recipients.waiting-temporal': 'The Temporal UI says of a running batch what its recipients wait for, with counts',
    'recipients.idempotent': 'An Idempotency-Key repeats the answer',
  },
};

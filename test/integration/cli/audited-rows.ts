export const accountId = 'acc_audited';
export const answeredTwice = '01900000-0000-7000-8000-00000000000a';
export const answeredOnce = '01900000-0000-7000-8000-00000000000b';
export const dialer = '01900000-0000-4000-8000-0000000000d1';

/** Two single calls to one number, dialed now. */
export const live = (process: string, numbers: readonly string[]): string =>
  numbers
    .map(
      (number, place) => `
    insert into calls (id, account_id, to_number, from_number, rule_id, gateway_id, status)
      values ('01900000-0000-7000-8000-0000000000c${place}', '${accountId}', '${number}', '+15550100001', 'rule_1', 'gw_1', 'dialing');
    insert into call_attempts (call_id, number, account_id, gateway_id, to_number, phase, invite, due_at, claimed_by, dialed_at)
      values ('01900000-0000-7000-8000-0000000000c${place}', 1, '${accountId}', 'gw_1', '${number}', 'dialing', 1, now(),
        '${process}', now());`,
    )
    .join('');

/** Changes of what is in order, each of which breaks one promise, and the id that the audit has to name. */
export const breaks: readonly (readonly [what: string, name: string, how: string, id: string])[] = [
  [
    'a number in two live attempts',
    'live-twice',
    `drop index one_live_attempt_per_number; ${live(dialer, ['+15550100012', '+15550100012'])}`,
    '+15550100012',
  ],
  [
    'an attempt that was dialed before its time',
    'attempts-in-order',
    `update call_attempts set dialed_at = now() - interval '95 minutes' where call_id = '${answeredTwice}' and number = 2`,
    `call_${answeredTwice}`,
  ],
  [
    'a recipient that was dialed before its notBefore',
    'attempts-in-order',
    `update calls set not_before = now() where id = '${answeredOnce}'`,
    `call_${answeredOnce}`,
  ],
  [
    'an attempt that is missing between two others',
    'attempts-in-order',
    `delete from call_attempts where call_id = '${answeredTwice}' and number = 1`,
    `call_${answeredTwice}`,
  ],
  [
    'an attempt after one that was answered',
    'retry-plan',
    `insert into call_attempts (call_id, number, account_id, batch_id, gateway_id, to_number, phase, invite, due_at, dialed_at,
        ended_at, outcome, reported_at)
      values ('${answeredOnce}', 2, '${accountId}', 'batch_1', 'gw_1', '+15550100011', 'ended', 1, now() - interval '1 hour',
        now() - interval '1 hour', now() - interval '59 minutes', 'answered', now());
     update calls set attempts_made = 2 where id = '${answeredOnce}'`,
    `call_${answeredOnce}`,
  ],
  [
    'an attempt that no retry plan asked for',
    'retry-plan',
    `update call_attempts set next_attempt_at = null where call_id = '${answeredTwice}' and number = 1`,
    `call_${answeredTwice}`,
  ],
  [
    'a call that counts more attempts than it has',
    'attempt-counts',
    `update calls set attempts_made = 3 where id = '${answeredTwice}'`,
    `call_${answeredTwice}`,
  ],
  [
    'a live attempt without an INVITE',
    'attempt-counts',
    `${live(dialer, ['+15550100012'])} update call_attempts set invite = 0 where phase = 'dialing'`,
    'call_01900000-0000-7000-8000-0000000000c0',
  ],
  [
    'a settled call in the queue',
    'settled-calls',
    `insert into call_attempts (call_id, number, account_id, batch_id, gateway_id, to_number, due_at)
      values ('${answeredOnce}', 2, '${accountId}', 'batch_1', 'gw_1', '+15550100011', now())`,
    `call_${answeredOnce}`,
  ],
  [
    'a finished batch with an open call',
    'settled-calls',
    `update calls set status = 'retrying', next_attempt_at = now() where id = '${answeredOnce}'`,
    'batch_1',
  ],
  [
    'an attempt that was dialed after its window had closed',
    'calling-window',
    `update call_attempts set not_after = dialed_at where call_id = '${answeredOnce}'`,
    `call_${answeredOnce}`,
  ],
  [
    'an attempt that was dialed on a day on which the window does not open',
    'calling-window',
    `update batches set calling_window = json_build_object('from', '00:00', 'until', '24:00', 'timezone', 'UTC', 'daysOfWeek',
      json_build_array(extract(isodow from (now() - interval '4 days') at time zone 'UTC')))`,
    `call_${answeredOnce}`,
  ],
  [
    'an attempt that was dialed outside of the guardrails’ calling hours',
    'calling-hours',
    `insert into guardrails (account_id, updated_at, calling_hours)
      values ('${accountId}', now() - interval '100 minutes', json_build_object('from', '00:00', 'until', '24:00', 'daysOfWeek',
        json_build_array(extract(isodow from (now() - interval '4 days') at time zone 'UTC'))))`,
    `call_${answeredTwice}`,
  ],
  [
    'a call to a number that was on the do-not-call list',
    'do-not-call',
    `insert into do_not_call (account_id, e164, created_at) values ('${accountId}', '+15550100011', now() - interval '5 hours')`,
    `call_${answeredOnce}`,
  ],
  [
    'counters that are not the counts',
    'batch-counters',
    `update batch_counters set answered = 1, failed = 1`,
    'batch_1',
  ],
  ['figures that are not the sums', 'figures', `update figure_changes set talk_ms = talk_ms + 1`, 'batch_1'],
  ['a timeline that is not the sum', 'timeline', `update timeline set ended = 0 where step = 3600`, 'batch_1'],
  ['a finished batch without its webhook', 'terminal-webhook', `delete from webhook_deliveries`, 'batch_1'],
  [
    'a live attempt whose dialer is gone',
    'orphaned-legs',
    `${live(dialer, ['+15550100012'])} update dialer_processes set lease_until = now() - interval '10 minutes'`,
    'call_01900000-0000-7000-8000-0000000000c0',
  ],
  [
    'an end that no workflow has heard of',
    'unreported-attempts',
    `update call_attempts set reported_at = null where call_id = '${answeredOnce}'`,
    `call_${answeredOnce}`,
  ],
];

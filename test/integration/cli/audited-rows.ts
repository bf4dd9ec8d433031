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

/** The number of the batch has limits that it keeps, since long before its calls. */
export const limited = `
  insert into phone_numbers (id, account_id, e164, name) values ('num_1', '${accountId}', '+15550100001', 'Line');
  insert into counted_numbers (number_id, account_id, e164, timezone, day, max_calls_per_day)
    values ('num_1', '${accountId}', '+15550100001', 'UTC', now()::date, 3);
  insert into audit_log (account_id, action, target, details, at)
    values ('${accountId}', 'phone-number.update', 'num_1',
      '{"fields":["maxCallsPerDay","minSecondsBetweenCalls"]}', now() - interval '5 days');`;

/** The gateway leaves batches one line, and has for long. */
export const reserving = (lines: number): string => `
  update gateways set max_concurrent_calls = ${lines}, reserved_calls = ${lines - 1};
  insert into audit_log (account_id, action, target, details, at) values
    ('${accountId}', 'outbound-gateway.update', 'gw_1', '{"fields":["reservedCalls"]}', now() - interval '5 days');`;

/** The batch has stopped by a condition, after its last call. */
export const stopped = `
  update batches set stop_after_answered = 2, stopped_by = 'answered', stopped_at = now() - interval '80 minutes';`;

/** The batch is that of a run of a campaign, which is in order. */
export const campaign = `
  insert into campaigns (id, account_id, name, cron, timezone, template, next_run_at)
    values ('camp_1', '${accountId}', 'Daily', '0 9 * * *', 'UTC', '{}', now() + interval '1 hour');
  insert into campaign_runs (campaign_id, account_id, due_at, outcome, batch_id, recipients, created_at)
    values ('camp_1', '${accountId}', now() - interval '3 hours', 'made', 'batch_1', 2, now() - interval '3 hours');`;

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
    'an attempt that was dialed while the one before it went on',
    'attempts-in-order',
    `update call_attempts set ended_at = now() - interval '80 minutes' where call_id = '${answeredTwice}' and number = 1`,
    `call_${answeredTwice}`,
  ],
  [
    'an attempt that was dialed before its batch began',
    'attempts-in-order',
    `update batches set started_at = now() - interval '100 minutes'`,
    `call_${answeredOnce}`,
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
    'an attempt that counts and was never dialed',
    'attempt-counts',
    `update call_attempts set dialed_at = null where call_id = '${answeredOnce}'`,
    `call_${answeredOnce}`,
  ],
  [
    'an attempt that counts and has no INVITE',
    'attempt-counts',
    `update call_attempts set invite = 0 where call_id = '${answeredTwice}' and number = 1`,
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
  [
    'a number that made more calls in a day than its limit',
    'number-limits',
    `${limited} update counted_numbers set max_calls_per_day = 1;
     update call_attempts set dialed_at = date_trunc('day', now() at time zone 'UTC') at time zone 'UTC' - interval '12 hours'
       where number = 1`,
    '+15550100001',
  ],
  [
    'a number that called sooner than its limit',
    'number-limits',
    `${limited} update counted_numbers set min_seconds_between_calls = 60;
     update call_attempts set dialed_at = dialed_at - interval '59 seconds' where call_id = '${answeredOnce}'`,
    '+15550100001',
  ],
  [
    'a number of a batch with several that called sooner than its limit',
    'number-limits',
    `${limited} update counted_numbers set min_seconds_between_calls = 60, e164 = '+15550100002';
     update call_attempts set caller = '+15550100002' where number = 1`,
    '+15550100002',
  ],
  [
    'an attempt that was dialed although the endpoint had refused the one before',
    'pre-dial',
    `update call_attempts set reason = 'pre_dial_refused' where call_id = '${answeredTwice}' and number = 1`,
    `call_${answeredTwice}`,
  ],
  [
    'an attempt that was dialed after the endpoint had refused it',
    'pre-dial',
    `update call_attempts set reason = 'pre_dial_refused', ended_at = dialed_at - interval '1 second'
       where call_id = '${answeredOnce}'`,
    `call_${answeredOnce}`,
  ],
  [
    'a live attempt that the endpoint has not cleared',
    'pre-dial',
    `${live(dialer, ['+15550100012'])} update batches set pre_dial = '{"url":"https://example.com","timeoutMs":1000,"onError":"wait"}';
     update call_attempts set batch_id = 'batch_1' where phase = 'dialing'`,
    'call_01900000-0000-7000-8000-0000000000c0',
  ],
  [
    'an attempt that was dialed after its batch had stopped',
    'stops',
    `update batches set stopped_by = 'until', stopped_at = now() - interval '100 minutes'`,
    `call_${answeredTwice}`,
  ],
  [
    'a recipient who was not called and says another reason than the stop',
    'stops',
    `${stopped} update calls set status = 'cancelled', reason = 'batch_cancelled' where id = '${answeredOnce}'`,
    `call_${answeredOnce}`,
  ],
  [
    'a batch that stopped and ended as cancelled',
    'stops',
    `${stopped} update batches set status = 'cancelled'`,
    'batch_1',
  ],
  [
    'a batch that stopped before it had as many answers',
    'stops',
    `${stopped} update batches set stopped_by = 'answered', stop_after_answered = 3`,
    'batch_1',
  ],
  [
    'a batch that stopped before it had cost as much',
    'stops',
    `${stopped} update batches set stopped_by = 'maxCost', max_cost = 1`,
    'batch_1',
  ],
  [
    'a batch that goes on after the instant at which it was to stop',
    'stops',
    `update batches set status = 'running', completed_at = null, stop_at = now() - interval '10 minutes'`,
    'batch_1',
  ],
  [
    'a batch that goes on after the answers that it wanted',
    'stops',
    `update batches set status = 'running', completed_at = null, stop_after_answered = 2;
     update calls set updated_at = now() - interval '10 minutes'`,
    'batch_1',
  ],
  [
    'a batch that goes on after the successes that it wanted',
    'stops',
    `update batches set status = 'running', completed_at = null, stop_after_success = 1;
     update calls set updated_at = now() - interval '10 minutes', success = true where id = '${answeredOnce}'`,
    'batch_1',
  ],
  [
    'a batch that goes on after it has cost what it may',
    'stops',
    `update batches set status = 'running', completed_at = null, max_cost = 5000;
     update call_attempts set cost = 5000, ended_at = now() - interval '10 minutes' where call_id = '${answeredOnce}'`,
    'batch_1',
  ],
  [
    'a call that was made long after the answers that its batch wanted',
    'stops',
    `update batches set stop_after_answered = 1`,
    `call_${answeredTwice}`,
  ],
  [
    'an attempt on a date that the batch excepts, by any window of its list',
    'calling-window',
    `update batches set calling_window = json_build_object('timezone', 'UTC', 'windows', json_build_array(
       json_build_object('from', '00:00', 'until', '24:00', 'daysOfWeek', json_build_array(1, 2, 3, 4, 5, 6, 7), 'timezone', 'UTC'),
       json_build_object('from', '00:00', 'until', '00:01', 'daysOfWeek', json_build_array(1), 'timezone', 'UTC',
         'except', json_build_array(to_char(now() at time zone 'UTC' - interval '3 days', 'YYYY-MM-DD')))));
     update call_attempts set dialed_at = now() - interval '3 days' where call_id = '${answeredOnce}'`,
    `call_${answeredOnce}`,
  ],
  [
    'more calls of batches than the lines that a gateway leaves them',
    'reserved-lines',
    `${reserving(2)} update call_attempts set dialed_at = now() - interval '119 minutes' - interval '10 seconds',
       ended_at = now() - interval '100 minutes' where number = 1`,
    'gw_1',
  ],
  [
    'live calls of batches on more lines than a gateway leaves them',
    'reserved-lines',
    `${reserving(2)} ${live(dialer, ['+15550100012', '+15550100013'])}
     update calls set batch_id = 'batch_1', position = 5 where status = 'dialing' and id = '01900000-0000-7000-8000-0000000000c0';
     update calls set batch_id = 'batch_1', position = 6 where status = 'dialing' and id = '01900000-0000-7000-8000-0000000000c1';
     update call_attempts set batch_id = 'batch_1' where phase = 'dialing'`,
    'gw_1',
  ],
  [
    'a batch call of two runs',
    'campaigns',
    `${campaign} insert into campaign_runs (campaign_id, account_id, due_at, outcome, batch_id, recipients)
      values ('camp_1', '${accountId}', now() - interval '2 hours', 'made', 'batch_1', 2)`,
    'camp_1',
  ],
  [
    'a recipient whom a run took and its batch call does not know',
    'campaigns',
    `${campaign} update campaign_runs set recipients = 3`,
    'camp_1',
  ],
  [
    'a recipient whom a run left behind',
    'campaigns',
    `${campaign} insert into campaign_recipients (campaign_id, account_id, phone_number, input, byte_size, created_at)
      values ('camp_1', '${accountId}', '+15550100012', '{}', 2, now() - interval '4 hours')`,
    'camp_1',
  ],
  [
    'a run that was asked for and not made',
    'campaigns',
    `${campaign} insert into campaign_runs (campaign_id, account_id, due_at, outcome, created_at)
      values ('camp_1', '${accountId}', now() - interval '1 hour', 'asked', now() - interval '1 hour')`,
    'camp_1',
  ],
  [
    'a campaign that did not run when it was due',
    'campaigns',
    `${campaign} update campaigns set next_run_at = now() - interval '1 hour'`,
    'camp_1',
  ],
];

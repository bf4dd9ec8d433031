import { expect, test } from 'vitest';
import type { LedgerLine } from '../../../telephony/simulator/ledger.js';
import type { Violation } from '../../soak/judge/evidence.js';
import type { JournalEntry } from '../../soak/journal.js';
import { timelineOf } from '../../soak/report.js';

const startMs = Date.parse('2026-11-25T12:00:00.000Z');
const ms = (seconds: number): number => startMs + seconds * 1000;
const [ann, bob] = ['+15550000010', '+15550000121'];

const entry = (seconds: number, kind: JournalEntry['kind'], text: string, about: string[] = []): JournalEntry => ({
  ...{ atMs: ms(seconds), kind, text, about },
});
const line = (
  seconds: number,
  event: LedgerLine['event'],
  callId: string,
  to: string,
  attempt: number,
): LedgerLine => ({
  ...{ at: new Date(ms(seconds)).toISOString(), event, callId, to, attempt, invite: 1, simulated: true },
});

const violation = { rule: 'twice', what: 'Ann was called again', atMs: ms(300), about: ['call-ann', ann] };
const tell = (
  entries: readonly JournalEntry[],
  ledger: readonly LedgerLine[],
  mostOthers: number,
  of: Violation = violation,
): string[] => {
  const journal = {
    ...{ entries, faults: new Map<string, number>() },
    ...{ add: () => undefined, addAt: () => undefined, countFault: () => undefined },
  };
  return timelineOf(of, { journal, ledger, mostOthers }).map((text) => text.trim().replace(/ +/g, ' '));
};

const ledger = [
  line(10, 'invite', 'call-ann', ann, 1),
  line(12, 'ended', 'call-ann', ann, 1),
  line(200, 'invite', 'call-bob', bob, 1),
  line(300, 'invite', 'call-ann', ann, 2),
];

test('a timeline has every order about a recipient and every INVITE of theirs, however many faults lie in between', () => {
  const faults = Array.from({ length: 250 }, (_, place) => entry(20 + place, 'fault', `fault ${place}`));
  const orders = [entry(1, 'order', 'POST /v1/batch-calls', [ann]), entry(2, 'order', `skip ${ann}`)];
  const others = [entry(3, 'order', 'POST about Bob', [bob]), entry(13, 'process', 'dialer1 runs again')];
  expect(tell([...orders, ...others, ...faults], ledger, 3)).toEqual([
    '12:00:01.000 order POST /v1/batch-calls',
    `12:00:02.000 order skip ${ann}`,
    `12:00:10.000 carrier invite ${ann} attempt 1 invite 1`,
    `12:00:12.000 carrier ended ${ann} attempt 1 invite 1`,
    '12:00:13.000 process dialer1 runs again',
    '12:00:20.000 fault fault 0',
    '12:00:21.000 fault fault 1',
    `12:05:00.000 carrier invite ${ann} attempt 2 invite 1`,
  ]);
});

test('a timeline of too many orders has the first and the last, and says how many are missing', () => {
  const orders = Array.from({ length: 500 }, (_, place) => entry(20 + place / 10, 'order', `order ${place}`, [ann]));
  const told = tell(orders, ledger, 3);
  expect(told.length).toBe(81);
  expect(told).toContain(`12:00:10.000 carrier invite ${ann} attempt 1 invite 1`);
  expect(told.at(-1)).toContain('carrier invite');
  expect(told.find((text) => text.includes('…'))).toContain('… 423 more orders and lines of the carrier');
});

test('a timeline of a batch that is stuck has what the API and the logs said of it, and the faults of its time', () => {
  const entries = [
    ...[entry(100, 'fault', 'temporal is killed'), entry(500, 'fault', 'a fault long after')],
    entry(110, 'order', 'POST /v1/batch-calls/batch_1/close answered 200', ['/v1/batch-calls/batch_1/close']),
    ...[entry(290, 'state', '{"status":"running"}', ['batch_1']), entry(112, 'log', 'worker1.log a line', ['batch_1'])],
    entry(111, 'log', 'worker1.log a line about another', ['batch_2']),
  ];
  const stuck = { rule: 'stuck', what: 'batch_1 did not come to its end', atMs: ms(300), about: ['batch_1'] };
  expect(tell(entries, [], 1, stuck)).toEqual([
    '12:01:40.000 fault temporal is killed',
    '12:01:50.000 order POST /v1/batch-calls/batch_1/close answered 200',
    '12:01:52.000 log worker1.log a line',
    '12:04:50.000 state {"status":"running"}',
  ]);
});

import { open } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { z } from 'zod';
import { carrierOf } from '../cli/up/ready.js';
import { LedgerLine } from '../telephony/simulator/ledger.js';
import { isBusyFirst, numberAt } from './numbers.js';
import { percentile, type Result } from './result.js';
import { noneIs, type RunningService, upload } from './service.js';

/** Numbers that no other benchmark calls. */
const firstNumber = 95_000;
/** Long enough that the service has gone back to sleep, and never in step with what it does every so often. */
const [leastPauseMs, mostPauseMs] = [400, 1_400];
const inviteWithinMs = 60_000;
/** Retries are read from the API while all of them wait. */
const retrySeconds = 6;

const Made = z.looseObject({ data: z.looseObject({ id: z.string() }) });
const Waiting = z.looseObject({
  data: z.array(z.looseObject({ phoneNumber: z.string(), nextAttemptAt: z.iso.datetime().nullish() })),
});

/** How late INVITEs are on a service that does nothing else: of single calls after the answer to their request, of retries. */
export async function measureLatency(
  service: RunningService,
  singleCalls: number,
  retries: number,
  say: (line: string) => void,
): Promise<readonly Result[]> {
  say(`Making ${singleCalls} single calls, one after the other.`);
  const single = await measureSingleCalls(service, singleCalls);
  say(`Calling ${retries} numbers that are busy first.`);
  return [...single, ...(await measureRetries(service, retries))];
}

async function measureSingleCalls(service: RunningService, count: number): Promise<readonly Result[]> {
  const { api, ready, lines, ruleId } = service;
  const lateMs: number[] = [];
  const answerMs: number[] = [];
  const answering = Array.from({ length: 2 * count }, (_, place) => firstNumber + place).filter(
    (index) => !isBusyFirst(index),
  );
  for (const index of answering.slice(0, count)) {
    await delay(leastPauseMs + Math.random() * (mostPauseMs - leastPauseMs));
    const body = { sipCallTo: numberAt(index), sipCallFrom: lines[0], routingRuleId: ruleId };
    const from = await ledgerSize(carrierOf(ready).ledger);
    const askedMs = performance.now();
    await api.post('/v2/sip/call', body, Made);
    const answeredAtMs = Date.now();
    answerMs.push(performance.now() - askedMs);
    const [invited] = await invites(carrierOf(ready).ledger, from, 1, (line) => line.to === numberAt(index));
    lateMs.push(Math.max(0, Date.parse(invited?.at ?? '') - answeredAtMs));
  }
  const note = `${count} calls one after the other, nothing else to do; from the answer to the carrier's ledger`;
  return [
    ...[0.5, 0.9, 0.99].map((share) => ({
      name: `single call, answer to INVITE, p${share * 100}`,
      value: percentile(lateMs, share),
      unit: 'ms',
      ...(share === 0.5 && { aim: { atMost: 50 } }),
      ...(share === 0.99 && { aim: { atMost: 100 } }),
      note,
    })),
    { name: 'POST call, p50', value: percentile(answerMs, 0.5), unit: 'ms', note: 'the same calls' },
  ];
}

async function measureRetries(service: RunningService, count: number): Promise<readonly Result[]> {
  const { api, ready, lines } = service;
  const from = await ledgerSize(carrierOf(ready).ledger);
  const busy = Array.from({ length: 4 * count }, (_, place) => 90_000 + place)
    .filter(isBusyFirst)
    .slice(0, count);
  const csv = `phone_number\n${busy.map(numberAt).join('\n')}\n`;
  const batchId = await upload(service, {
    name: 'Busy first',
    from: lines[0] ?? '',
    csv,
    retry: { retryOn: ['rejected'], retryDelays: [retrySeconds] },
  });
  const dueMs = new Map<string, number>();
  const untilMs = performance.now() + inviteWithinMs;
  while (dueMs.size < count && performance.now() < untilMs) {
    const path = `/v1/batch-calls/${batchId}/records?perPage=100&status=retrying`;
    for (const { phoneNumber, nextAttemptAt } of (await api.get(path, Waiting)).data) {
      if (typeof nextAttemptAt === 'string') dueMs.set(phoneNumber, Date.parse(nextAttemptAt));
    }
    await delay(200);
  }
  const again = await invites(carrierOf(ready).ledger, from, count, (line) => line.attempt === 2);
  await noneIs(service, 'running');
  const lateMs = again.map((line) => Date.parse(line.at) - (dueMs.get(line.to ?? '') ?? NaN));
  const note = `${count} retries of one batch, each due at its own instant; from then to the carrier's ledger`;
  return [0.5, 0.9, 0.99].map((share) => ({
    name: `retry late, p${share * 100}`,
    value: percentile(lateMs, share),
    unit: 'ms',
    note,
  }));
}

async function ledgerSize(path: string): Promise<number> {
  const file = await open(path, 'r');
  try {
    return (await file.stat()).size;
  } finally {
    await file.close();
  }
}

/** Waits until the ledger has so many INVITEs of these after the place. */
async function invites(
  path: string,
  from: number,
  count: number,
  wanted: (line: LedgerLine) => boolean,
): Promise<LedgerLine[]> {
  const untilMs = performance.now() + inviteWithinMs;
  for (;;) {
    const file = await open(path, 'r');
    try {
      const { size } = await file.stat();
      const bytes = Buffer.alloc(size - from);
      await file.read(bytes, 0, bytes.length, from);
      // What comes after the last line end is still being written.
      const whole = bytes.toString('utf8').split('\n').slice(0, -1);
      const found = whole
        .map((text) => LedgerLine.parse(JSON.parse(text)))
        .filter((line) => line.event === 'invite' && wanted(line));
      if (found.length >= count) return found;
    } finally {
      await file.close();
    }
    if (performance.now() > untilMs) throw new Error(`The carrier was not asked for ${count} calls within a minute.`);
    await delay(20);
  }
}

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../../embedded/temporary-folder.js';
import { Scenario } from '../../../telephony/simulator/behaviour.js';
import { type Carrier, createCarrier } from '../../../telephony/simulator/carrier.js';
import { type Ledger, type LedgerLine, openLedger } from '../../../telephony/simulator/ledger.js';
import { emptyMemory } from '../../../telephony/simulator/memory.js';
import { createTally } from '../../../telephony/simulator/tally.js';
import { createTrunks } from '../../../telephony/simulator/trunks.js';
import { legKey, type ReconcileAnswer } from '../../../telephony/simulator/wire.js';
import { orderTo } from './carrier-process.js';

const line = (callId: string): LedgerLine => ({
  at: new Date().toISOString(),
  event: 'invite',
  callId,
  simulated: true,
});
const ledgerAt = (): string => join(temporaryFolder('ledger'), 'ledger.jsonl');

test('who waits for a line is told when it is in the file, not before, and in order', async () => {
  const path = ledgerAt();
  const ledger = await openLedger(path);
  const told: number[] = [];
  for (let index = 0; index < 200; index++) {
    ledger.append(line(`call_${index}`), () => {
      expect(readFileSync(path, 'utf8')).toContain(`"call_${index}"`);
      told.push(index);
    });
    if (index % 50 === 0) await ledger.settled();
  }
  await ledger.settled();
  expect(told).toEqual(Array.from({ length: 200 }, (_, index) => index));
  await ledger.close();
});

test('a line is read back by its place, also in front of its write and after a reopening', async () => {
  const path = ledgerAt();
  const first = await openLedger(path);
  const places = ['call_ä', 'call_b', 'call_c'].map((callId) => first.append(line(callId)));
  expect(await first.lineAt(places[1] ?? -1)).toMatchObject({ callId: 'call_b' });
  await first.close();

  const second = await openLedger(path);
  const place = second.append(line('call_d'));
  expect(await second.lineAt(place)).toMatchObject({ callId: 'call_d' });
  expect(await second.lineAt(places[2] ?? -1)).toMatchObject({ callId: 'call_c' });
  await second.close();
});

/** A ledger whose writes take as long as the test wants. */
function heldLedger(): Ledger & { write(): void; readonly lines: LedgerLine[] } {
  const lines: LedgerLine[] = [];
  const waiting: (() => void)[] = [];
  return {
    ...{ lines, path: 'held' },
    append(added, written = () => undefined) {
      waiting.push(written);
      return lines.push(added) - 1;
    },
    lineAt: (offset) => Promise.resolve(lines[offset] ?? line('none')),
    settled: () => (waiting.length === 0 ? Promise.resolve() : new Promise((resolve) => waiting.push(resolve))),
    close: () => Promise.resolve(),
    write: () => waiting.splice(0).forEach((written) => written()),
  };
}

const carrierOn = (ledger: Ledger, memory = emptyMemory(), speed = 1e9): Carrier =>
  createCarrier({
    ...{ ledger, memory, tally: createTally(), trunks: createTrunks({}) },
    ...{ seed: 1, speed, scenario: Scenario.parse({}) },
  });

test('nothing of a leg is told while its lines are not written', () => {
  const ledger = heldLedger();
  const heard: string[] = [];
  carrierOn(ledger).dial(orderTo('+15550100120'), ({ type }) => heard.push(type));
  expect(ledger.lines.map(({ event }) => event)).toEqual(['invite', 'ringing', 'answered', 'ended']);
  expect(heard).toEqual([]);
  ledger.write();
  expect(heard).toEqual(['placed', 'ringing', 'answered', 'over']);
});

test('a refusal of a fenced or repeated reference is told when it is written', () => {
  const order = orderTo('+15550100120');
  const memory = { ...emptyMemory(), fenced: new Set([legKey(order)]) };
  const ledger = heldLedger();
  const heard: string[] = [];
  carrierOn(ledger, memory).dial(order, ({ type }) => heard.push(type));
  expect(heard).toEqual([]);
  ledger.write();
  expect(heard).toEqual(['over']);
  expect(ledger.lines.map(({ event }) => event)).toEqual(['refused']);
});

test('a leg is called live only once its INVITE is written, so that no crash can contradict it', async () => {
  const order = orderTo('+15550100120');
  const ledger = heldLedger();
  const carrier = carrierOn(ledger, emptyMemory(), 1);
  carrier.dial(order, () => undefined);
  let answer: ReconcileAnswer | undefined;
  const asked = carrier.reconcile(order).then((given) => (answer = given));
  await setImmediate();
  expect(answer).toBeUndefined();
  ledger.write();
  expect(await asked).toEqual({ state: 'live' });
  carrier.stop();
});

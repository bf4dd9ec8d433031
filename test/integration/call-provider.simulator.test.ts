import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '../../embedded/temporary-folder.js';
import type { AttemptRef } from '../../telephony/provider.js';
import { createSimulatorProvider } from '../../telephony/simulator/driver.js';
import type { LedgerLine } from '../../telephony/simulator/ledger.js';
import { describeCallProvider } from './call-provider-conformance.js';
import type { Callee } from './call-provider-under-test.js';
import { type CarrierProcess, orderTo, startCarrierProcess } from './simulator/carrier-process.js';
import { dialInAnotherProcess } from './simulator/dialing-process.js';

/** Ten minutes at the speed below. */
const forLong = 30_000;
const speed = '50';

/** By script if the last digit has one, else by the scenario. */
const numbers: Readonly<Record<Callee, string>> = {
  'answers and talks a little': '+15550120',
  'answers and talks for long': '+15550130',
  'rings for long': '+15550140',
  'is tried for long': '+15550150',
  'is busy': '+15550161',
  declines: '+15550162',
  'rings out': '+15550163',
  'is unavailable and never rings': '+15550164',
  'cannot be found': '+15550165',
  'never responds': '+15550168',
};
const scenario = {
  numbers: {
    [numbers['answers and talks a little']]: [
      { kind: 'answer', ringAfterSeconds: 1, answerAfterSeconds: 2, talkSeconds: 5 },
    ],
    [numbers['answers and talks for long']]: [{ kind: 'answer', talkSeconds: forLong }],
    [numbers['rings for long']]: [{ kind: 'answer', answerAfterSeconds: forLong }],
    [numbers['is tried for long']]: [{ kind: 'answer', ringAfterSeconds: forLong, answerAfterSeconds: forLong }],
  },
};

const linesOf = (
  carrier: CarrierProcess,
  event: LedgerLine['event'],
  { callId, attempt, invite }: AttemptRef,
): number =>
  carrier
    .ledger()
    .filter((line) => line.event === event)
    .filter((line) => line.callId === callId && line.attempt === attempt && line.invite === invite).length;

describeCallProvider('the simulator', async () => {
  const scenarioPath = join(temporaryFolder('scenario'), 'scenario.json');
  writeFileSync(scenarioPath, JSON.stringify(scenario));
  const carrier = await startCarrierProcess('--speed', speed, '--scenario', scenarioPath);
  return {
    fences: true,
    checksGateways: true,
    remembersEnds: true,
    connect: () => createSimulatorProvider({ url: carrier.url }),
    order: (callee) => orderTo(numbers[callee], callee.endsWith('for long') ? { ringTimeoutSeconds: 2 * forLong } : {}),
    transferTarget: (does) =>
      does === 'is busy' ? numbers['is busy'] : `sip:${numbers['answers and talks a little']}@a`,
    invitesOf: async (ref) => linesOf(carrier, 'invite', ref),
    refersOf: async (ref) => linesOf(carrier, 'refer', ref),
    dialElsewhere: (order, until) => dialInAnotherProcess(carrier.url, order, until),
    killProvider: () => carrier.kill(),
    restartProvider: () => carrier.start(),
    stop: () => carrier.kill(),
  };
});

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { join } from 'node:path';
import { temporaryFolder } from '../../../embedded/temporary-folder.js';
import type { AttemptResult, CallProvider } from '../../../telephony/provider.js';
import { behaviourOf } from '../../../telephony/simulator/behaviour.js';
import { createSimulatorProvider } from '../../../telephony/simulator/driver.js';
import { type Simulator, startSimulator } from '../../../telephony/simulator/start.js';
import { ledgerLines, orderTo } from './carrier-process.js';

let simulator: Simulator;
let provider: CallProvider;
const ledgerPath = join(temporaryFolder('scripts'), 'ledger.jsonl');

beforeAll(async () => {
  const scenario = {
    numbers: {
      '+15550900': [
        { kind: 'refuse' as const, sipStatusCode: 480, sipPhrase: 'Later' },
        { kind: 'answer' as const, talkSeconds: 1 },
      ],
      '+15550901': [{ kind: 'agent_missing' as const }],
      '+15550902': [{ kind: 'answer' as const, talkSeconds: 100 }],
      '+15550903': [
        { kind: 'answer' as const, talkSeconds: 1, callbackAfterSeconds: 600 },
        { kind: 'answer' as const },
      ],
    },
  };
  simulator = await startSimulator({ ledgerPath, speed: 200, scenario });
  provider = createSimulatorProvider({ url: simulator.url });
});
afterAll(async () => {
  await provider.close();
  await simulator.stop();
});

const dial = async (to: string, changes: Parameters<typeof orderTo>[1] = {}): Promise<AttemptResult> =>
  provider.dial(orderTo(to, changes), () => undefined);

describe('a number does what its last digit says', () => {
  test.each([
    ['0', { how: 'ended', answeredBy: 'human', rang: true }],
    ['1', { how: 'refused', sipStatusCode: 486, rang: true }],
    ['2', { how: 'refused', sipStatusCode: 603, rang: true }],
    ['3', { how: 'ring_timeout', rang: true }],
    ['4', { how: 'refused', sipStatusCode: 480, rang: false }],
    ['94', { how: 'ended', answeredBy: 'machine', reason: 'announcement', rang: false }],
    ['5', { how: 'refused', sipStatusCode: 404, rang: false }],
    ['6', { how: 'refused', sipStatusCode: 503, sipPhrase: 'Service Unavailable', rang: false }],
    ['7', { how: 'ended', answeredBy: 'human', reason: 'callee_hung_up' }],
    ['8', { how: 'no_response', rang: false }],
    ['9', { how: 'ended', answeredBy: 'machine' }],
  ])('…%s', async (digit, expected) => {
    expect(await dial(`+1555010011${digit === '1' ? '01' : digit}`)).toMatchObject(expected);
  });

  test('a callee who asks to be called again names a time in simulated seconds after the call, once', async () => {
    const { at, callbackAt } = await dial('+15550903');
    expect(callbackAt?.getTime()).toBe(at.getTime() + 600_000 / 200);
    expect(await dial('+15550903', { callId: 'call_called_again', attempt: 2 })).not.toHaveProperty('callbackAt');
  });

  test('…90 refuses in the first call, and agrees when it is called again', async () => {
    const callId = 'call_agrees_later';
    const said = async (attempt: number) =>
      ((await dial('+15550100190', { callId, attempt })).transcript ?? []).map(({ text }) => text).join(' ');
    expect(await said(1)).toContain('not interested');
    expect(await said(2)).toContain('It does, thank you.');
  });

  test('…6 is unavailable once per attempt, whichever invite comes first, and then answers', async () => {
    const callId = 'call_unavailable_once';
    expect(await dial('+15550100126', { callId, invite: 2 })).toMatchObject({ sipStatusCode: 503 });
    expect(await dial('+15550100126', { callId, invite: 3 })).toMatchObject({ how: 'ended' });
    expect(await dial('+15550100126', { callId, attempt: 2, invite: 1 })).toMatchObject({ sipStatusCode: 503 });
    expect(await dial('+15550100126', { callId, attempt: 2, invite: 2 })).toMatchObject({ how: 'ended' });
  });

  test.each(['11', '22', '33', '44', '55', '88'])(
    '…%s fails the first attempt and answers the second',
    async (digits) => {
      const callId = `call_recovers_${digits}`;
      expect((await dial(`+155501002${digits}`, { callId })).how).not.toBe('ended');
      expect(await dial(`+155501002${digits}`, { callId, attempt: 2 })).toMatchObject({
        how: 'ended',
        answeredBy: 'human',
      });
    },
  );

  test('without equal last digits the second attempt fares as the first', async () => {
    const callId = 'call_stays_busy';
    expect(await dial('+15550100221', { callId })).toMatchObject({ sipStatusCode: 486 });
    expect(await dial('+15550100221', { callId, attempt: 2 })).toMatchObject({ sipStatusCode: 486 });
  });
});

describe('a scenario', () => {
  test('decides attempt by attempt, its last entry for all that follow', async () => {
    const callId = 'call_scenario';
    const hows = [];
    for (const attempt of [1, 2, 3]) hows.push((await dial('+15550900', { callId, attempt })).how);
    expect(hows).toEqual(['refused', 'ended', 'ended']);
  });

  test('can leave the callee without an agent', async () => {
    expect(await dial('+15550901')).toMatchObject({ how: 'agent_missing', rang: true });
  });
});

describe('the order’s own limits', () => {
  test('a call ends at its longest duration', async () => {
    const end = await dial('+15550902', { maxCallSeconds: 10 });
    expect(end).toMatchObject({ how: 'ended', reason: 'max_duration' });
  });

  test('a phone stops ringing at the ring timeout, however late it would be answered', async () => {
    expect(await dial('+15550100120', { ringTimeoutSeconds: 0.5 })).toMatchObject({ how: 'ring_timeout' });
  });
});

test('agent and callee talk: who answered, what was said and when', async () => {
  const end = await dial('+15550100130');
  const speakers = new Set(end.transcript?.map(({ speaker }) => speaker));
  expect(speakers).toEqual(new Set(['agent', 'callee']));
  const times = end.transcript?.map(({ at }) => Date.parse(at)) ?? [];
  expect(times).toEqual([...times].sort((a, b) => a - b));
  expect(times[0]).toBe(end.answeredAt?.getTime());
});

test('a machine speaks first and the agent leaves a message', async () => {
  const end = await dial('+15550100129');
  expect(end.transcript?.map(({ speaker }) => speaker)).toEqual(['callee', 'agent']);
});

test('the same seed gives the same number the same ringing and talking, another seed does not', () => {
  const courses = (seed: number): unknown[] =>
    Array.from({ length: 20 }, (_, index) =>
      behaviourOf({ to: `+155501001${index}`, attempt: 1, unavailableBefore: false }, seed, { numbers: {} }),
    );
  expect(courses(7)).toEqual(courses(7));
  expect(courses(7)).not.toEqual(courses(8));
});

test('everything it writes says that it is simulated, and no secret of the gateway is in it', async () => {
  await dial('+15550100120');
  const lines = ledgerLines(ledgerPath);
  expect(lines.length).toBeGreaterThan(3);
  expect(lines.map(({ simulated }) => simulated)).toEqual(lines.map(() => true));
  expect(JSON.stringify(lines)).not.toContain('secret');
  expect(provider.simulated).toBe(true);
});

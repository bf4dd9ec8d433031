import { afterEach, beforeEach, expect, test } from 'vitest';
import type { CallProvider } from '../../../telephony/provider.js';
import { busy, controlledCalls, takes, talker, thirty, type ControlledCalls } from './controlled-calls.js';
import { until } from './test-env.js';

let calls: ControlledCalls;
beforeEach(async () => {
  calls = await controlledCalls();
});
afterEach(() => calls.testEnv.close());

const [other = ''] = thirty;

/**
 * A dialer whose provider never answers one of its methods about the first of two answered calls.
 *
 * @param callOf the id of the call that the method is asked about
 */
async function twoCalls<M extends 'hangUp' | 'askToHold' | 'hangUpTarget'>(
  method: M,
  callOf: (first: Parameters<CallProvider[M]>[0]) => string,
) {
  const silent = { about: '', asked: 0 };
  const inner = calls.testEnv.provider();
  const answers = inner[method] as (...given: unknown[]) => Promise<unknown>;
  const hangs = (...given: Parameters<CallProvider[M]>): Promise<unknown> => {
    if (callOf(given[0]) !== silent.about) return answers(...given);
    silent.asked += 1;
    return new Promise(() => undefined);
  };
  await calls.testEnv.dialer({ ...inner, [method]: hangs });
  const ids = [await calls.aCall(talker, 'answered'), await calls.aCall(other, 'answered')] as const;
  await calls.testEnv.database.pool.query('update calls set simulated = true');
  silent.about = ids[0];
  return { ids, silent };
}

const isTransferred = async (id: string) => (await calls.transferOf(id))?.status === 'transferred';

// shows: silent.provider
test('a hang-up that the provider does not answer holds up no other, and is not asked for twice at once', async () => {
  const { ids, silent } = await twoCalls('hangUp', (ref) => ref.callId);
  await calls.end(ids[0]);
  await until(() => Promise.resolve(silent.asked === 1));
  await calls.endWhole(ids[1]);
  expect(await calls.callOf(ids[1])).toMatchObject({ reason: 'ended_by_api' });
  expect(silent.asked).toBe(1);
});

test('an agent that cannot be asked to hold a call holds up no transfer of another call', async () => {
  const { ids, silent } = await twoCalls('askToHold', (ref) => ref.callId);
  await calls.transfer(ids[0], takes, 'warm');
  await until(() => Promise.resolve(silent.asked === 1));
  await calls.transfer(ids[1], takes, 'warm');
  await until(() => isTransferred(ids[1]));
  expect(silent.asked).toBe(1);
});

test('a target that cannot be hung up holds up no transfer of another call', async () => {
  const { ids, silent } = await twoCalls('hangUpTarget', ({ leg }) => leg.callId);
  await calls.transfer(ids[0], busy, 'warm');
  await until(() => Promise.resolve(silent.asked === 1));
  await calls.transfer(ids[1], takes, 'cold');
  await until(() => isTransferred(ids[1]));
  expect(silent.asked).toBe(1);
});

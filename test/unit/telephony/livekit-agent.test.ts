import { describe, expect, test } from 'vitest';
import { createAgentWatch, hasAgent } from '../../../telephony/livekit/agent.js';

const seen = (identity: string, isAgent: boolean, serves?: string) => ({
  ...{ identity, isAgent },
  attributes: serves === undefined ? {} : { 'outdial.callId': serves },
});

describe('an agent is there for a call', () => {
  test('when any agent is in the room of its own', () => {
    expect(hasAgent([seen('callee_1', false, 'call_1'), seen('agent-1', true)], 'call_1')).toBe(true);
  });

  test('not when there is only the callee, whose participant says the same call', () => {
    expect(hasAgent([seen('callee_1', false, 'call_1')], 'call_1')).toBe(false);
    expect(hasAgent([], 'call_1')).toBe(false);
  });

  test('not when the agent of a static room serves another call', () => {
    expect(hasAgent([seen('agent-2', true, 'call_2')], 'call_1')).toBe(false);
    expect(hasAgent([seen('agent-2', true, 'call_2'), seen('agent-1', true, 'call_1')], 'call_1')).toBe(true);
  });
});

describe('the watch over a call, with 2 s of patience', () => {
  const answeredMs = 10_000;
  /** Looks before the answer have negative times. */
  const judged = (looks: readonly (readonly [here: boolean, atMs: number])[]) => {
    const watch = createAgentWatch(2_000);
    return looks.map(([here, atMs]) => watch.judge(here, atMs < 0 ? null : answeredMs, answeredMs + atMs));
  };

  test('waits for the agent, and calls it missing when it did not come in time', () => {
    expect(judged([...[0, 500, 1_999].map((ms) => [false, ms] as const), [false, 2_000]])).toEqual([
      ...['wait', 'wait', 'wait', 'missing'],
    ]);
  });

  test('is content with one that came late but came', () => {
    expect(
      judged([
        [false, 1_900],
        [true, 2_100],
      ]),
    ).toEqual(['wait', 'fine']);
  });

  test('sends one more for one that went, and calls it lost when none came', () => {
    expect(
      judged([
        [true, 300],
        [false, 60_000],
        [false, 61_000],
        [false, 62_000],
      ]),
    ).toEqual(['fine', 'dispatch', 'wait', 'lost']);
  });

  test('sends one more for one that went while it rang, and calls it missing when the callee met none', () => {
    expect(
      judged([
        [false, -9_000],
        [true, -8_000],
        [false, -5_000],
        [false, -1_000],
        [false, 1_999],
        [false, 2_000],
      ]),
    ).toEqual(['wait', 'fine', 'dispatch', 'wait', 'wait', 'missing']);
  });

  test('sends one more at once for one that went between two looks, with the answer in between', () => {
    expect(
      judged([
        [true, -100],
        [false, 50],
        [true, 500],
      ]),
    ).toEqual(['fine', 'dispatch', 'fine']);
  });

  test('begins again when the second has come', () => {
    expect(
      judged([
        [true, 300],
        [false, 60_000],
        [true, 61_000],
        [false, 90_000],
      ]),
    ).toEqual(['fine', 'dispatch', 'fine', 'dispatch']);
  });
});

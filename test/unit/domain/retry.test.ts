import { describe, expect, test } from 'vitest';
import { type AnsweredBy, retryOutcomes, unsuccessfulStatuses } from '../../../domain/call/call.js';
import { dispositionOf } from '../../../domain/call/disposition.js';
import { dependsOnAnalysis, planAfter, type RetryPlan } from '../../../domain/call/retry.js';

const plan: RetryPlan = { retryOn: ['not-answered', 'rejected', 'failed'], retryDelaysSeconds: [60, 600] };

describe('the next attempt', () => {
  // shows: batch.create.retry-delays
  test('waits the delay of its place in the plan, and there is none after the last delay', () => {
    const missed = { status: 'not-answered', permanent: false } as const;
    expect([1, 2, 3, 4].map((attemptsMade) => planAfter(missed, plan, { attemptsMade }))).toEqual([
      60,
      600,
      null,
      null,
    ]);
  });

  // shows: batch.create.retry-on
  test('only an outcome that the plan lists earns one', () => {
    expect(planAfter({ status: 'missed', permanent: false }, plan, { attemptsMade: 1 })).toBeNull();
    expect(planAfter({ status: 'abandoned', permanent: false }, plan, { attemptsMade: 1 })).toBeNull();
    expect(planAfter({ status: 'answered', permanent: false }, plan, { attemptsMade: 1 })).toBeNull();
  });

  // shows: retry.voicemail
  test('a machine that answered earns one only if the plan lists voicemail, a person and nobody known never', () => {
    const answeredBy = (by: AnsweredBy | null, retryOn: RetryPlan['retryOn']) =>
      planAfter({ status: 'answered', permanent: false, answeredBy: by }, { ...plan, retryOn }, { attemptsMade: 1 });
    expect(answeredBy('machine', ['voicemail'])).toBe(60);
    expect(answeredBy('machine', unsuccessfulStatuses)).toBeNull();
    for (const by of ['human', 'unknown', null] as const) expect(answeredBy(by, retryOutcomes)).toBeNull();
  });

  // shows: retry.unsuccessful
  test('depends on the analysis only if the plan lists unsuccessful, has a retry left, and no machine answered', () => {
    const listed: RetryPlan = { ...plan, retryOn: ['unsuccessful'] };
    const answered = { status: 'answered', permanent: false, answeredBy: 'human' } as const;
    const after = (attemptsMade: number) => dependsOnAnalysis(answered, listed, { attemptsMade });
    expect([1, 2, 3].map(after)).toEqual([true, true, false]);
    expect(dependsOnAnalysis({ ...answered, answeredBy: null }, listed, { attemptsMade: 1 })).toBe(true);
    expect(dependsOnAnalysis({ ...answered, answeredBy: 'machine' }, listed, { attemptsMade: 1 })).toBe(false);
    expect(dependsOnAnalysis({ status: 'missed', permanent: false }, listed, { attemptsMade: 1 })).toBe(false);
    expect(dependsOnAnalysis(answered, plan, { attemptsMade: 1 })).toBe(false);
    expect(dependsOnAnalysis(answered, null, { attemptsMade: 1 })).toBe(false);
  });

  // shows: batch.create.no-retry
  test('a batch without a plan calls each number once', () => {
    expect(planAfter({ status: 'failed', permanent: false }, null, { attemptsMade: 1 })).toBeNull();
  });

  test.each([410, 484, 604, 607, 608])('%i settles the call, whatever the plan lists', (sipStatusCode) => {
    const context = { invite: 1, freeTries: 0, throttledSeconds: 0, consecutiveSilences: 0 };
    const disposition = dispositionOf({ how: 'refused', rang: false, sipStatusCode }, context);
    if (disposition.kind !== 'ended') throw new Error('expected an end');
    expect(plan.retryOn).toContain(disposition.status);
    expect(planAfter(disposition, plan, { attemptsMade: 1 })).toBeNull();
  });
});

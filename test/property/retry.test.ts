import fc from 'fast-check';
import { expect, test } from 'vitest';
import { retryOutcomes, unsuccessfulStatuses } from '../../domain/call/call.js';
import { planAfter, type RetryPlan } from '../../domain/call/retry.js';

const status = fc.constantFrom(...unsuccessfulStatuses);
const plans: fc.Arbitrary<RetryPlan> = fc.record({
  retryOn: fc.uniqueArray(fc.constantFrom(...retryOutcomes), { minLength: 1, maxLength: 6 }),
  retryDelaysSeconds: fc.array(fc.integer({ min: 1, max: 604_800 }), { minLength: 1, maxLength: 5 }),
});

// shows: retry.once-more
test('a call is dialed at most once more than its plan has delays, however its attempts end', () => {
  fc.assert(
    fc.property(plans, fc.infiniteStream(status), (plan, outcomes) => {
      const waited: number[] = [];
      for (const outcome of outcomes) {
        const next = planAfter({ status: outcome, permanent: false }, plan, { attemptsMade: waited.length + 1 });
        if (next === null) break;
        waited.push(next);
      }
      expect(waited).toEqual(plan.retryDelaysSeconds.slice(0, waited.length));
    }),
  );
});

test('a listed outcome that is not permanent is retried while delays are left, and nothing else ever is', () => {
  fc.assert(
    fc.property(
      plans,
      fc.constantFrom('answered' as const, ...unsuccessfulStatuses),
      fc.constantFrom('human' as const, 'machine' as const, 'unknown' as const, null),
      fc.boolean(),
      fc.integer({ min: 1, max: 8 }),
      (plan, ending, answeredBy, permanent, attemptsMade) => {
        const outcome = ending === 'answered' && answeredBy === 'machine' ? 'voicemail' : ending;
        const listed = plan.retryOn.some((one) => one === outcome);
        const due = listed && !permanent && attemptsMade <= plan.retryDelaysSeconds.length;
        const next = planAfter({ status: ending, permanent, answeredBy }, plan, { attemptsMade });
        expect(next !== null).toBe(due);
        if (next !== null) expect(next).toBeGreaterThanOrEqual(1);
      },
    ),
  );
});

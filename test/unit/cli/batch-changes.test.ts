import { expect, test } from 'vitest';
import { type BatchChanges, changesOf } from '../../../cli/client/batch/change.js';
import { UpdateBatchCallBody } from '../../../api/batch-calls/update-body.js';

test('what is said is what is changed, in the fields of PATCH, and nothing else', () => {
  const body = changesOf({
    ...{ name: 'April', window: ['10:00-18:00 mon-fri'], except: ['2027-12-25'], retry: 'missed:5m' },
    ...{ maxConcurrent: 3, priority: 1, stopAfter: '100 answered', until: '2027-01-31T18:00:00.000Z', open: true },
    ...{ preDial: 'https://example.com/ask skip', maxCost: 12.5 },
  });
  expect(body).toEqual({
    ...{
      name: 'April',
      maxConcurrentCalls: 3,
      priority: 1,
      until: '2027-01-31T18:00:00.000Z',
      open: true,
      maxCost: 12.5,
    },
    callingWindow: { from: '10:00', until: '18:00', daysOfWeek: [1, 2, 3, 4, 5], except: ['2027-12-25'] },
    retry: { retryOn: ['missed'], retryDelays: [300] },
    stopAfter: { answered: 100 },
    preDial: { url: 'https://example.com/ask', onError: 'skip' },
  });
  expect(UpdateBatchCallBody.safeParse(body).error).toBeUndefined();
});

test('none takes each setting away that may be absent, as null', () => {
  const none = { description: 'none', retry: 'none', window: ['none'], maxConcurrent: 'none' as const };
  const stops = { stopAfter: 'none', until: 'none', maxCost: 'none' as const };
  const body = changesOf({ ...none, ...stops, preDial: 'none', schedule: 'now' });
  expect(body).toEqual({
    ...{ description: null, retry: null, callingWindow: null, maxConcurrentCalls: null },
    ...{ stopAfter: null, until: null, maxCost: null, preDial: null, schedule: null },
  });
  expect(UpdateBatchCallBody.safeParse(body).error).toBeUndefined();
});

test.each<[BatchChanges, string]>([
  [{}, 'Say what to change'],
  [{ window: ['none', '09:00-17:00'] }, 'stands alone'],
  [{ window: ['none'], except: ['2027-12-25'] }, 'stands alone'],
  [{ except: ['2027-12-25'] }, '--except needs the hours'],
  [{ stopAfter: 'soon' }, '--stop-after'],
])('%o is refused with the remedy', (flags, words) => {
  expect(() => changesOf(flags)).toThrow(words);
});

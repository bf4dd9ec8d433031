import { expect, test } from 'vitest';
import { nextRunsOf } from '../../../console/campaign/runs.js';
import { clockChanges, instantOf } from '../../setup/clock-changes.js';

// Temporal is asked for the same table in test/workflow/campaign-clock-changes.test.ts.

test.each(clockChanges)('in %s “%s” has exactly these runs after %s', (zone, cron, from, runs) => {
  expect(nextRunsOf(cron, zone, new Date(from), runs.length).map((run) => run.toISOString())).toEqual(
    runs.map(instantOf),
  );
});

test.each(clockChanges)(
  'in %s “%s” after %s: the next run of each run is the one behind it, none twice and none left out',
  (zone, cron, from, runs) => {
    const found: string[] = [];
    let after = new Date(from);
    while (found.length < runs.length) {
      const [next] = nextRunsOf(cron, zone, after, 1);
      if (next === undefined) break;
      found.push(next.toISOString());
      after = next;
    }
    expect(found).toEqual(runs.map(instantOf));
  },
);

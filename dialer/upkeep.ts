import type { Db } from '../db/client.js';
import { forgetOldAttempts } from '../db/queries/accounts/guardrails.js';
import { forgetOldDials } from '../db/queries/accounts/overview.js';
import { foldOldUsage } from '../db/queries/accounts/usage.js';
import { foldFigures } from '../db/queries/dialer/fold-figures.js';
import { forgetDeadProcesses } from '../db/queries/dialer/lease.js';
import { forgetOldPreDials } from '../db/queries/dialer/pre-dial.js';
import type { Logger } from '../platform/logger.js';
import type { DialerMetrics } from './metrics.js';

const foldEveryMs = 1_000;
const cleanUpEveryMs = 600_000;

/** Work of a dialer that no call waits for: each in a loop of its own, so that one that fails keeps none of the others from being done. */
interface Upkeep {
  readonly does: string;
  readonly everyMs: number;
  readonly run: () => Promise<void>;
}

/** @param metrics counts batches whose figures cannot be added up */
export function upkeepOf(db: Db, logger: Logger, metrics: Pick<DialerMetrics, 'failures'>): readonly Upkeep[] {
  const cleanUp = (does: string, run: (db: Db) => Promise<void>): Upkeep => ({
    does,
    everyMs: cleanUpEveryMs,
    run: () => run(db),
  });
  const does = 'add up figures';
  const fold = () =>
    foldFigures(db, ({ accountId, batchId }, error) => {
      logger.error(
        { err: error, accountId, ...(batchId === '' ? {} : { batchId }) },
        batchId === ''
          ? 'the figures of the single calls of an account cannot be added up; trying again'
          : 'the figures of a batch call cannot be added up; trying again',
      );
      metrics.failures.inc({ step: does });
    });
  return [
    { does, everyMs: foldEveryMs, run: fold },
    cleanUp('delete dead processes', forgetDeadProcesses),
    cleanUp('delete old counts of attempts', forgetOldAttempts),
    cleanUp('delete old counts of dials', forgetOldDials),
    cleanUp('delete old answers of pre-dial endpoints', forgetOldPreDials),
    cleanUp('add up the usage of old days', foldOldUsage),
  ];
}

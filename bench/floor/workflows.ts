import { executeChild, proxyActivities } from '@temporalio/workflow';
import type { FloorActivities } from './measure.js';

const { nothing } = proxyActivities<FloorActivities>({ startToCloseTimeout: '1 minute' });

/** One call as plainly as Temporal can carry it. */
export async function floorCall(): Promise<void> {
  await nothing();
}

/** A child workflow per call, never more than `atOnce` of them open. */
export async function floorBatch({
  calls,
  atOnce,
}: {
  readonly calls: number;
  readonly atOnce: number;
}): Promise<void> {
  let begun = 0;
  const lane = async (): Promise<void> => {
    while (begun < calls) {
      begun += 1;
      await executeChild(floorCall);
    }
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, calls) }, lane));
}

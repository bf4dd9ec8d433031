import { setTimeout as delay } from 'node:timers/promises';

const lookEveryMs = 250;
/** A worker's first processes load for up to a minute on a busy machine. */
const warmWithinMs = 120_000;

/**
 * Waits until the agent worker has registered with LiveKit and offers calls.
 *
 * @param metricsPort of the worker, on this machine
 * @returns how many it takes at once; 0 if it does not come to that in two minutes
 */
export async function agentSlotsWhenReady(metricsPort: number): Promise<number> {
  const until = performance.now() + warmWithinMs;
  while (performance.now() < until) {
    const slots = await offeredSlots(metricsPort);
    if (slots > 0) return slots;
    await delay(lookEveryMs);
  }
  return 0;
}

async function offeredSlots(metricsPort: number): Promise<number> {
  try {
    const response = await fetch(`http://127.0.0.1:${metricsPort}/metrics`, { signal: AbortSignal.timeout(5000) });
    const [, slots = '0'] = /^outdial_agent_slots(?:\{[^}]*\})? (\d+)$/m.exec(await response.text()) ?? [];
    return Number(slots);
  } catch {
    return 0; // it is being started again
  }
}

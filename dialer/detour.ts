import type { Refusal } from '../db/queries/dialer/gate-attempts.js';

/** Where an attempt goes that the gate has refused. */
export type NextStep =
  /** It keeps its claim, and gets another slot. */
  | { readonly to: 'pace' }
  /** Back to the queue, nothing consumed; claimed again after the delay at the earliest. */
  | { readonly to: 'queue'; readonly afterSeconds: number }
  /** Its call ends undialed. */
  | { readonly to: 'settle'; readonly reason: 'do_not_call' }
  /** Another dialer has it, or its call is settled: nothing may be written about it. */
  | { readonly to: 'nowhere' };

/** Keeps a cause that lasts from being asked about all the time. */
export const heldSeconds = 1;
const agentInactiveSeconds = 5;
const longestUnpreparedSeconds = 60;

/**
 * Seconds in the queue of an attempt that the provider could not prepare.
 *
 * @param unsentSeconds for which its gateway has sent no call: it waits as long again, a minute at most
 */
export const secondsUnprepared = (unsentSeconds: number): number =>
  Math.min(longestUnpreparedSeconds, Math.max(heldSeconds, unsentSeconds));

/** Where refused attempts go, in the order in which they are dealt with: first what needs no statement. */
export const afterRefusal: Readonly<Record<Refusal, NextStep>> = {
  late: { to: 'pace' },
  held: { to: 'queue', afterSeconds: heldSeconds },
  // Claimed again at once, and judged again.
  window_closed: { to: 'queue', afterSeconds: 0 },
  guardrails_changed: { to: 'queue', afterSeconds: 0 },
  // The claim looks at the number again, and takes it when it may call.
  number_limit: { to: 'queue', afterSeconds: heldSeconds },
  agent_inactive: { to: 'queue', afterSeconds: agentInactiveSeconds },
  do_not_call: { to: 'settle', reason: 'do_not_call' },
  lost: { to: 'nowhere' },
};

/** The steps of refused attempts, each with those that take it. */
export function stepsAfterRefusals<T>(
  refused: readonly (readonly [attempt: T, refusal: Refusal | null])[],
): (readonly [NextStep, readonly T[]])[] {
  const steps = new Map<string, readonly [NextStep, T[]]>();
  for (const [refusal, step] of Object.entries(afterRefusal)) {
    const some = refused.filter(([, its]) => its === refusal).map(([attempt]) => attempt);
    const known = steps.get(JSON.stringify(step));
    if (known !== undefined) known[1].push(...some);
    else steps.set(JSON.stringify(step), [step, some]);
  }
  return [...steps.values()].filter(([, attempts]) => attempts.length > 0);
}

import type { AgentWorkerState } from '../../db/queries/agents/workers.js';

/** The processes of a worker, as its conversations and LiveKit report them. */
export interface WorkerProcesses {
  readonly talking: number;
  /** Idle processes that are ready for a conversation. */
  readonly warm: number;
  /** Jobs that are accepted and not begun: each takes a process that still counts as warm. */
  readonly promised: number;
}

/**
 * The phase of a worker after something has changed:
 *
 * ```
 * warming ── registered with LiveKit, and a process is warm ──▶ ready ── told to stop ──▶ draining
 *    └──────────────────────────── told to stop ─────────────────────────────────────────▶ draining
 * ```
 */
export const nextPhase = (phase: AgentWorkerState, isRegistered: boolean, warm: number): AgentWorkerState =>
  phase === 'warming' && isRegistered && warm > 0 ? 'ready' : phase;

/**
 * Slots that a worker offers: one for each conversation and each warm process that no job has been promised, no more than
 * its limit. None while it warms up or drains.
 *
 * @param limit most conversations at once: as configured, or as many as the machine can hold now
 */
export const offeredSlots = (phase: AgentWorkerState, limit: number, processes: WorkerProcesses): number =>
  phase === 'ready' ? Math.max(0, Math.min(limit, processes.talking + processes.warm - processes.promised)) : 0;

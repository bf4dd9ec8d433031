import { defineQuery, defineSignal } from '@temporalio/workflow';
import type { SignalArguments, SignalName } from '../domain/workflow/contract.js';

const signal = <S extends SignalName>(name: S) => defineSignal<SignalArguments<S>, S>(name);

export const attemptsEnded = signal('attemptsEnded');
export const reload = signal('reload');
export const cancel = signal('cancel');
export const firstPassDone = signal('firstPassDone');
export const reconsider = signal('reconsider');
export const waits = signal('waits');
export const transcriptClosed = signal('transcriptClosed');

/** How far the calls of one workflow are. */
export interface CallsProgress {
  /** Calls that are not settled. */
  readonly open: number;
  /** Of these, in the queue or live. */
  readonly queued: number;
  /** Of these, waiting for the time of their next attempt. */
  readonly waiting: number;
  /** ISO instant of the next attempt to fall due, null if none waits. */
  readonly nextDueAt: string | null;
}

/** One unsettled call as an operator sees it. */
export interface CallAtWork {
  readonly callId: string;
  readonly attempt: number;
  /** ISO instant at which the attempt goes into the queue, null if it is there or live. */
  readonly dueAt: string | null;
}

export const progress = defineQuery<CallsProgress>('progress');
export const callsAtWork = defineQuery<CallAtWork[]>('calls');

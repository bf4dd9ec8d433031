import { defineQuery, defineSignal } from '@temporalio/workflow';
import { type EndedAttempt, signalNames } from './contract.js';

export const attemptsEnded = defineSignal<[readonly EndedAttempt[]]>(signalNames.attemptsEnded);
export const reload = defineSignal(signalNames.reload);
export const cancel = defineSignal(signalNames.cancel);
export const firstPassDone = defineSignal<[group: number]>(signalNames.firstPassDone);
export const reconsider = defineSignal(signalNames.reconsider);
export const transcriptClosed = defineSignal(signalNames.transcriptClosed);

/** How far the calls of one workflow are. */
export interface CallsProgress {
  /** Calls that are not settled. */
  readonly open: number;
  /** Of these, in the queue or live. */
  readonly queued: number;
  /** Of these, waiting for the time of their next attempt. */
  readonly waiting: number;
  /** ISO instant of the next attempt to fall due, null where none waits. */
  readonly nextDueAt: string | null;
}

/** One unsettled call as an operator sees it. */
export interface CallAtWork {
  readonly callId: string;
  readonly attempt: number;
  /** ISO instant at which the attempt goes into the queue, null where it is there or live. */
  readonly dueAt: string | null;
}

export const progress = defineQuery<CallsProgress>('progress');
export const callsAtWork = defineQuery<CallAtWork[]>('calls');

import { callAttribute } from '../../domain/agent/job.js';
import type { AttemptRef } from '../provider.js';
import type { LiveKitClient, Seen } from './client.js';

/**
 * Whether an agent that serves the call is among the participants: joined and active. Several calls may share a static room.
 *
 * @param job the metadata of its dispatch: the call's id, or of a call that came in that of the rule
 */
export const hasAgent = (participants: readonly Seen[], job: string): boolean =>
  participants.some(({ isAgent, attributes }) => isAgent && [undefined, job].includes(attributes[callAttribute]));

/** What has to be done about the agent of a call. */
export type AgentVerdict = 'fine' | 'wait' | 'dispatch' | 'missing' | 'lost';

export interface AgentWatch {
  /**
   * Looks at a call that rings or talks.
   *
   * @param here whether the agent is in the room
   * @param answeredMs null while it rings
   * @param nowMs on the clock of `answeredMs`
   * @returns `missing`: the callee has met none in time; `lost`: it was there, left, and no other has taken its place in time;
   *   `dispatch`: it went just now: send another
   */
  judge(here: boolean, answeredMs: number | null, nowMs: number): AgentVerdict;
}

/** @param limitMs how long a callee may hear silence for want of an agent */
export function createAgentWatch(limitMs: number): AgentWatch {
  let came = false;
  let metCallee = false;
  let lostMs: number | null = null;
  return {
    judge(here, answeredMs, nowMs) {
      if (here) {
        came = true;
        if (answeredMs !== null) metCallee = true;
        lostMs = null;
        return 'fine';
      }
      if (came && lostMs === null) {
        lostMs = nowMs;
        return 'dispatch';
      }
      if (answeredMs === null || nowMs - Math.max(answeredMs, lostMs ?? answeredMs) < limitMs) return 'wait';
      return metCallee ? 'lost' : 'missing';
    },
  };
}

export interface AgentJob {
  /** Sends the job to a worker, unless that was done already, here or by a dialer that died. Tried again when it fails. */
  start(): Promise<void>;
  /** Sends another, in the place of an agent that went. */
  restart(): Promise<void>;
  /** Takes the job back if the room outlives the call. Best effort. */
  drop(): Promise<void>;
}

/** @param mayExist whether another process may have sent the job */
export function createAgentJob(client: LiveKitClient, { room, callId }: AttemptRef, mayExist: boolean): AgentJob {
  let id: string | null = null;
  const restart = async (): Promise<void> => {
    id = await client.dispatch(room, callId);
  };
  return {
    restart,
    async start() {
      if (id === null && mayExist) id = await client.dispatchOf(room, callId);
      if (id === null) await restart();
    },
    async drop() {
      if (id !== null) await client.dropDispatch(room, id);
    },
  };
}

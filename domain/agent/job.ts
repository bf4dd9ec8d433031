import { z } from 'zod';
import { formatId, uuidOf } from '../ids.js';

/** Name under which agent workers register with LiveKit: they get the jobs that are dispatched to it, and no others. */
export const agentName = 'outdial-agent';

/** Attribute of a participant that says whose call it is: the callee's own, and the one that its agent serves. */
export const callAttribute = 'outdial.callId';

/** The job of an agent worker. It travels as the metadata of a LiveKit dispatch, as short as it can be. */
export type AgentJob =
  /** A call that was dialed; its account, agent and version are in its row. `callId` is the bare UUID. */
  | { readonly kind: 'call'; readonly callId: string }
  /** A call that came in: the inbound rule that took it. */
  | { readonly kind: 'inbound'; readonly ruleId: string }
  | PlaygroundJob;

/** A conversation from the playground: no call, nothing is stored of it. */
export interface PlaygroundJob {
  readonly kind: 'playground';
  readonly accountId: string;
  readonly agentId: string;
  /** The version to talk as. */
  readonly versionId: string;
  /** Takes the place of a call's metadata: fills the placeholders, and `language` chooses the language. */
  readonly metadata: Readonly<Record<string, string>>;
  /** How long it may last. */
  readonly maxSeconds: number;
}

const StoredPlaygroundJob = z.strictObject({
  kind: z.literal('playground'),
  accountId: z.string(),
  agentId: z.string(),
  versionId: z.string(),
  metadata: z.record(z.string(), z.string()),
  maxSeconds: z.int().min(1),
});

/** A job as the metadata of its dispatch: `call_<uuid>`, `rule_<uuid>`, or JSON for a playground session. */
export function formatAgentJob(job: AgentJob): string {
  switch (job.kind) {
    case 'call':
      return formatId('call', job.callId);
    case 'inbound':
      return job.ruleId;
    case 'playground':
      return JSON.stringify(job);
  }
}

/** The job of a dispatch, or null if its metadata is not ours. */
export function readAgentJob(metadata: string): AgentJob | null {
  const callId = uuidOf('call', metadata);
  if (callId !== null) return { kind: 'call', callId };
  if (uuidOf('rule', metadata) !== null) return { kind: 'inbound', ruleId: metadata };
  try {
    return StoredPlaygroundJob.safeParse(JSON.parse(metadata)).data ?? null;
  } catch {
    return null;
  }
}

/** Attribute of a playground's visitor that says why the agent has ended the conversation; set just before they have to go. */
export const endedAttribute = 'outdial.ended';
/** Its values that are no ends of calls: the time is over, or the account has as many conversations in the playground as it may. */
export const visitorEnds = ['time_over', 'too_many'] as const;
export type VisitorEnd = (typeof visitorEnds)[number];

/** Conversations by voice that an account may have in the playground at once: each takes a process that calls could have. */
export const mostVisitors = 5;

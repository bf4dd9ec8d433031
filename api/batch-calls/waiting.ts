import { z } from 'zod';
import type { BatchDetailRow } from '../../db/queries/batches/batches.js';
import { asBatchStatus, isFinished } from '../../domain/batch/batch-call.js';
import { type Hold, type NearCalls, type Room, waitingOf } from '../../domain/batch/waiting.js';
import { waitingSentence } from '../../domain/batch/waiting-sentence.js';
import { CallingWindowAnswer } from '../../domain/call/calling-window-answer.js';
import type { Env } from '../../platform/env.js';
import { instant } from '../fields.js';
import { waitingReason } from '../reasons.js';
import { holdOf } from './hold.js';

const Waiting = z
  .strictObject({
    total: z.int().describe('Recipients that wait: `pending` and `retrying` of `counts` together'),
    reasons: z
      .array(
        z.strictObject({
          reason: waitingReason().describe('Why they wait'),
          count: z.int().describe('How many wait for this'),
          until: instant()
            .nullable()
            .describe('When the first of them can go, as far as this reason decides; null if an event decides'),
        }),
      )
      .describe('By reason; the counts add up to `total`'),
  })
  .meta({
    id: 'Waiting',
    examples: [
      { total: 1, reasons: [{ reason: 'calling_window' as const, count: 1, until: '2026-03-02T15:00:00.000Z' }] },
    ],
  });

/** Fields that say what the recipients of a batch call wait for. */
export const waitingFields = {
  waiting: Waiting.describe('What recipients wait for that are to be called, for the first time or again'),
  waitingFor: z.string().describe('The same as a sentence for people; times are by the clocks of the recipients'),
};

export const exampleWaiting = {
  waiting: {
    total: 1,
    reasons: [{ reason: 'calling_window' as const, count: 1, until: '2026-03-02T15:00:00.000Z' }],
  },
  waitingFor: '1 waits until 09:00 in Chicago.',
};

const listOf = (zones: string): readonly string[] => (zones === '' ? [] : zones.split(','));
const dateOf = (text: string | null): Date | null => (text === null ? null : new Date(text));

/** What each limit leaves, by the rules of the claim. Simulated agents are always there. */
function roomOf({ id, gatewayId, maxConcurrentCalls, room }: BatchDetailRow, region: string, env: Env): Room {
  const { gateways, agents } = room;
  const own = gateways.get(gatewayId);
  const taken = (agents.taken[region] ?? 0) + (region === env.OUTDIAL_REGIONS[0] ? (agents.taken.auto ?? 0) : 0);
  return {
    suspended: own?.suspended ?? false,
    probeAt: own?.probeAt ?? null,
    probes: own?.probes ?? 0,
    nextDialAt: own?.nextDialAt ?? null,
    limits: {
      no_agent_slot: env.OUTDIAL_PROVIDER === 'livekit' ? (agents.slots[region] ?? 0) - taken : Infinity,
      batch_limit:
        (typeof maxConcurrentCalls === 'number' ? maxConcurrentCalls : Infinity) - (own?.liveOfBatch[id] ?? 0),
      gateway_limit: Math.min(own?.lines ?? 0, own?.ofAccount ?? Infinity),
      gateway_rate: own?.turns ?? 0,
    },
  };
}

/** What the recipients of a batch wait for. */
export function waitingBody(row: BatchDetailRow, env: Env, now = new Date()) {
  const status = asBatchStatus(row.status);
  const total = isFinished(status) ? 0 : row.pending + row.retrying;
  const region = (row.region === 'auto' ? env.OUTDIAL_REGIONS[0] : row.region) ?? 'default';
  const { groups = [], near = [], due = false } = row.waits ?? {};
  const waits = waitingOf({
    now,
    status,
    total,
    startsAt: row.startsAt,
    held: holdOf(row, env).pausedReason ?? null,
    window: row.callingWindow === null ? null : CallingWindowAnswer.parse(row.callingWindow),
    windowMoving: row.windowMoving,
    timezone: row.timezone,
    groups: groups.map(([zones, hold, until, calls]) => ({
      zones: listOf(zones),
      hold: hold === '' ? null : (hold as Hold),
      until: dateOf(until),
      calls,
    })),
    near: near.map(([zones, reason, until, calls]) => ({
      zones: listOf(zones),
      reason: reason as NearCalls['reason'],
      until: dateOf(until),
      calls,
    })),
    dueInQueue: due,
    room: roomOf(row, region, env),
  });
  return {
    waiting: {
      total,
      reasons: waits.map(({ reason, count, until }) => ({ reason, count, until: until?.toISOString() ?? null })),
    },
    waitingFor: waitingSentence(waits, now),
  };
}

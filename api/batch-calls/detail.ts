import { z } from 'zod';
import { findBatchCall, type BatchDetailRow } from '../../db/queries/batch-calls.js';
import type { Db } from '../../db/client.js';
import { dialingHold, dialingHoldWords } from '../../domain/dialing-hold.js';
import { unfilledRules } from '../../domain/account-defaults.js';
import { notFound } from '../../domain/errors.js';
import { notGranted, ungrantedWords } from '../../domain/grants.js';
import type { Env } from '../../platform/env.js';
import { instant } from '../fields.js';
import {
  batchCallFields,
  batchCallItemBody,
  Counts,
  countsOf,
  exampleCounts,
  exampleRunning,
  progress,
} from './schema.js';
import { CallingWindow } from '../calling-window.js';
import { UnfilledPlaceholders } from './unfilled-placeholders.js';

/** What GET of one batch call answers, and every operation that changes one. */
export const BatchCallDetail = z
  .strictObject({
    ...batchCallFields,
    paused: z.boolean().describe('Nothing is dialed while this is true; the status stays as it is'),
    pausedReason: z
      .string()
      .optional()
      .describe(
        'paused_by_user; agent_inactive, number_unavailable, gateway_unavailable or rule_unavailable where what the batch ' +
          'call needs can no longer be used; gateway_suspended where the carrier refuses the gateway; dialing_stopped where ' +
          'the account has stopped all dialing; service_stopped where the operator of the service has; account_suspended; not_granted where the operator has taken back the grant of the number or of the gateway’s SIP host; no_agent_worker where no process is there that could talk; abandoned_rate',
      ),
    pausedDetails: z.string().optional().describe('The reason in words'),
    simulated: z.boolean().describe('No telephone was reached: the carrier is a simulation'),
    recordsRejected: z.int().describe('Rows of the file that will not be called; see rejected-rows'),
    recordsCorrected: z.int().describe('Rows whose number is dialed otherwise than it was written'),
    progress,
    counts: Counts,
    callingWindow: CallingWindow.optional().describe('Hours in which calls may start'),
    maxConcurrentCalls: z.int().optional().describe('Most calls of this batch call at the same time'),
    defaultCountry: z.string().optional().describe('Numbers in the file that had no + were read as of this country'),
    unfilledPlaceholders: z
      .enum(unfilledRules)
      .describe('What is done about a placeholder of prompt or greeting that nothing fills'),
    report: z
      .strictObject({ unfilledPlaceholders: UnfilledPlaceholders })
      .describe('What the reading of the file found; empty before'),
    startedAt: instant().optional().describe('When it entered running'),
    completedAt: instant().optional().describe('When it came to its end'),
  })
  .meta({
    id: 'BatchCallDetail',
    examples: [
      {
        ...exampleRunning,
        paused: false,
        simulated: false,
        recordsRejected: 0,
        recordsCorrected: 0,
        counts: exampleCounts,
        callingWindow: { from: '09:00', until: '20:00', daysOfWeek: [1, 2, 3, 4, 5], timezone: 'recipient' },
        unfilledPlaceholders: 'allow' as const,
        report: { unfilledPlaceholders: [{ path: 'languages.english.prompt', placeholder: 'doctor' }] },
        startedAt: '2026-03-02T17:30:00.040Z',
      },
    ],
  });

interface Hold {
  readonly paused: boolean;
  readonly pausedReason?: string;
  readonly pausedDetails?: string;
}

const held = (pausedReason: string, details: string | null): Hold => ({
  paused: true,
  pausedReason,
  ...(details === null ? {} : { pausedDetails: details }),
});

/**
 * Why nothing of the batch is dialed. What the dialer reads from the account, the agent and the gateway themselves holds a
 * running batch just as its own pause does, so it is shown in the same place; it ends by itself.
 */
function holdOf(row: BatchDetailRow, { OUTDIAL_PROVIDER, OUTDIAL_REGIONS }: Env): Hold {
  if (row.paused) return held(row.pausedReason ?? 'paused_by_user', row.pausedDetails);
  if (row.status !== 'running') return { paused: false };
  const hold = dialingHold(row);
  if (hold !== null) return held(hold, dialingHoldWords[hold]);
  const words = ungrantedWords(row.ungranted);
  if (words !== null) return held(notGranted, `${words} Calls go on when it is granted.`);
  if (!row.agentActive) return held('agent_inactive', 'The agent is not active. Calls go on when it is deployed.');
  if (row.gatewaySuspended) return held('gateway_suspended', row.suspendedReason);
  const region = (row.region === 'auto' ? OUTDIAL_REGIONS[0] : row.region) ?? 'default';
  if (OUTDIAL_PROVIDER === 'livekit' && !row.servedRegions.includes(region)) {
    return held('no_agent_worker', `No agent worker of the region ${region} is ready. Calls go on when one is.`);
  }
  return { paused: false };
}

export const batchCallDetailBody = (row: BatchDetailRow, env: Env): z.output<typeof BatchCallDetail> => ({
  ...batchCallItemBody(row),
  ...holdOf(row, env),
  simulated: row.simulated,
  recordsRejected: row.recordsRejected,
  recordsCorrected: row.recordsCorrected,
  counts: { ...countsOf(row) },
  ...(row.callingWindow === null ? {} : { callingWindow: CallingWindow.parse(row.callingWindow) }),
  ...(row.maxConcurrentCalls === null ? {} : { maxConcurrentCalls: row.maxConcurrentCalls }),
  ...(row.defaultCountry === null ? {} : { defaultCountry: row.defaultCountry }),
  unfilledPlaceholders: row.onUnfilled === 'reject' ? 'reject' : 'allow',
  report: { unfilledPlaceholders: UnfilledPlaceholders.parse(row.unfilledPlaceholders) },
  ...(row.startedAt === null ? {} : { startedAt: row.startedAt.toISOString() }),
  ...(row.completedAt === null ? {} : { completedAt: row.completedAt.toISOString() }),
});

/** In the same words whether it never was, is another account's, or is not even an id. */
export const batchCallNotFound = () => notFound('Batch call not found');

/** @throws Failure `not_found` */
export async function requireBatchCall(db: Db, accountId: string, batchId: string): Promise<BatchDetailRow> {
  const row = await findBatchCall(db, accountId, batchId);
  if (row === null) throw batchCallNotFound();
  return row;
}

import type { Db } from '../../db/client.js';
import { auditBatch, batchesToAudit, dialedOfBatch, type AuditedBatch } from '../../db/queries/audit/batches.js';
import { auditCampaigns } from '../../db/queries/audit/campaigns.js';
import { auditCalls } from '../../db/queries/audit/calls.js';
import { invariants, type AuditScope, type InvariantName, type Violation } from '../../db/queries/audit/invariants.js';
import {
  auditDoNotCall,
  auditLive,
  auditReports,
  batchesAtWork,
  standingCalls,
  type ListedPage,
} from '../../db/queries/audit/present.js';
import { auditStop } from '../../db/queries/audit/stops.js';
import { nextOpening, zonesOfWindow } from '../../domain/call/calling-window.js';
import { callWorkflowId } from '../../domain/workflow/ids.js';
import { outsideOfHours } from './hours.js';
import { beyondNumberLimits } from './number-limits.js';
import { beyondReserve } from './reserved-lines.js';

export interface AuditedInvariant {
  readonly name: InvariantName;
  readonly holds: string;
  readonly violations: number;
  /** The first of them. */
  readonly examples: readonly { readonly id: string; readonly details: string }[];
  readonly means: string;
  readonly remedy: string;
  /** Why the check could not be made; omitted: it was made. */
  readonly notAudited?: string;
}

export interface AuditReport {
  readonly clean: boolean;
  readonly batches: number;
  readonly calls: number;
  readonly seconds: number;
  readonly invariants: readonly AuditedInvariant[];
}

const mostExamples = 10;
/** A change of a window is stored a little before it is in force. */
const windowChangeMs = 60_000;
const mostWorkflowsAsked = 2_000;

/**
 * Compares a database with what the service promises. Reads only, in many short transactions, so that a live database is not
 * disturbed; what changes meanwhile is seen by the pieces that come later.
 *
 * @param deliveriesSince webhook deliveries from before have been deleted; null: none has
 * @param isRunning whether Temporal runs a workflow of this id; null: it cannot be asked
 */
export async function audit(
  db: Db,
  scope: AuditScope,
  deps: {
    readonly deliveriesSince: Date | null;
    readonly isRunning: ((workflowId: string) => Promise<boolean>) | null;
  },
): Promise<AuditReport> {
  const startedMs = performance.now();
  const found = new Map<InvariantName, { violations: number; examples: Violation[] }>();
  const count = { batches: 0, calls: 0 };

  const add = (violations: readonly Violation[]): void => {
    for (const violation of violations) {
      const known = found.get(violation.invariant) ?? { violations: 0, examples: [] };
      known.violations += 1;
      if (known.examples.length < mostExamples) known.examples.push(violation);
      found.set(violation.invariant, known);
    }
  };

  add(await auditLive(db, scope));
  add(await auditReports(db, scope));
  for (let after: string | null | undefined = undefined; after !== null;) {
    const page = await auditCalls(db, scope, after ?? null);
    add(page.violations);
    count.calls += page.calls;
    ({ after } = page);
  }
  for (let after: string | null = null; ;) {
    const batches: AuditedBatch[] = await batchesToAudit(db, scope, after);
    for (const batch of batches) {
      add(await auditBatch(db, batch, deps.deliveriesSince));
      add(await outsideOfWindow(db, scope, batch));
      add(await auditStop(db, batch));
    }
    count.batches += batches.length;
    const last = batches.at(-1);
    if (last === undefined) break;
    after = last.id;
  }
  await outsideOfHours(db, scope, add);
  await beyondNumberLimits(db, scope, add);
  await beyondReserve(db, scope, add);
  add(await auditCampaigns(db, scope));
  for (let after: ListedPage['after'] | undefined = undefined; after !== null;) {
    const page: ListedPage = await auditDoNotCall(db, scope, after ?? null);
    add(page.violations);
    ({ after } = page);
  }
  if (deps.isRunning !== null) add(await standing(db, scope, deps.isRunning));

  const reported = names().map((name): AuditedInvariant => {
    const { violations, examples } = found.get(name) ?? { violations: 0, examples: [] };
    const unasked = name === 'workflows' && deps.isRunning === null;
    return {
      name,
      ...invariants[name],
      violations,
      examples: examples.map(({ id, details }) => ({ id, details })),
      ...(unasked ? { notAudited: 'Temporal cannot be reached' } : {}),
    };
  });
  return {
    clean: reported.every(({ violations }) => violations === 0),
    ...count,
    seconds: Math.round(performance.now() - startedMs) / 1000,
    invariants: reported,
  };
}

const isName = (text: string): text is InvariantName => text in invariants;
const names = (): InvariantName[] => Object.keys(invariants).filter(isName);

/** Counts attempts of batches that were dialed outside of the present window since the batch has it. */
async function outsideOfWindow(db: Db, scope: AuditScope, batch: AuditedBatch): Promise<Violation[]> {
  const { id, window, timezone, windowSince } = batch;
  if (window === null) return [];
  const sinceMs = Math.max(
    windowSince === null ? -Infinity : windowSince.getTime() + windowChangeMs,
    scope.since?.getTime() ?? -Infinity,
  );
  const since = sinceMs === -Infinity ? null : new Date(sinceMs);
  const violations: Violation[] = [];
  for (let after: number | null = -1; after !== null;) {
    const page = await dialedOfBatch(db, id, since, after);
    for (const { callId, attempt, dialedAt, zones } of page.dialed) {
      const opening = nextOpening(window, zonesOfWindow(window, zones, timezone), dialedAt);
      if (opening?.opensAt.getTime() === dialedAt.getTime()) continue;
      const details = `attempt ${attempt} was dialed at ${dialedAt.toISOString()}, while the window of ${id} was closed`;
      violations.push({ invariant: 'calling-window', id: `call_${callId}`, details });
    }
    after = page.after;
  }
  return violations;
}

/** Batches and calls that need a workflow to go on, and have none. */
async function standing(
  db: Db,
  scope: AuditScope,
  isRunning: (workflowId: string) => Promise<boolean>,
): Promise<Violation[]> {
  const violations: Violation[] = [];
  const say = (id: string, details: string): void => void violations.push({ invariant: 'workflows', id, details });
  for (const { id, status } of await batchesAtWork(db, scope)) {
    if (!(await isRunning(id))) say(id, `is ${status}, and its workflow does not run`);
  }
  for (const call of (await standingCalls(db, scope)).slice(0, mostWorkflowsAsked)) {
    const { batchId, callId, calls } = call;
    const workflowId = callWorkflowId(call);
    const runs = await isRunning(workflowId);
    const others = calls > 1 ? ` and ${calls - 1} more are` : ' is';
    if (runs)
      say(`call_${callId}`, `${others.trim()} due, and the workflow ${workflowId} does not put it in the queue`);
    // Later calls of a batch have no workflow yet: the batch's workflow starts it.
    else if (batchId === null) say(`call_${callId}`, `is open, and the workflow ${workflowId} does not run`);
  }
  return violations;
}

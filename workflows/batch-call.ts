import {
  CancellationScope,
  condition,
  continueAsNew,
  patched,
  isCancellation,
  proxyActivities,
  setCurrentDetails,
  setHandler,
  upsertSearchAttributes,
  workflowInfo,
} from '@temporalio/workflow';
import type { BatchFacts } from '../activities/batch.js';
import type { Activities } from '../activities/create-activities.js';
import type { BatchCallInput, ToldWaits } from '../domain/workflow/contract.js';
import { filesQueue } from '../domain/workflow/task-queues.js';
import { createDueTimer } from './due-timer.js';
import { createChildWorkflows, type ChildWorkflows } from './child-workflows.js';
import { pinToVersion } from './pinned.js';
import { statusKey } from './search-attributes.js';
import { cancel, firstPassDone, reconsider, waits } from './signals.js';

// An outage of Postgres delays a batch and does not end it: everything is retried for ever.
const retry = { initialInterval: '200 ms', maximumInterval: '10 seconds' } as const;
const { batchFacts, startBatch, openGroups, finishBatch } = proxyActivities<Activities>({
  startToCloseTimeout: '10 seconds',
  retry,
});
const watched = { startToCloseTimeout: '30 minutes', heartbeatTimeout: '10 seconds', retry } as const;
const { cancelCalls, moveWindow } = proxyActivities<Activities>(watched);

/** Calls whose first attempt has not ended are kept at about this many, or twice what the gateway takes at once. */
const firstAttemptsAhead = 1_000;
/** How long a cancel waits before it looks again whether live calls are over; the last entry repeats. */
const cancelPausesMs = [250, 500, 1_000, 2_000] as const;
const cancelPauseMs = 5_000;

/** What has been heard since the batch was last looked at. */
interface PendingSignals {
  cancelled: boolean;
  reconsider: boolean;
  /** Set while an activity runs that a cancel interrupts. */
  interrupt: (() => void) | undefined;
  /** Whether the batch is to be looked at again: it is cancelled or changed, or the instant has come at which it stops. */
  readonly changed: () => boolean;
}

/**
 * Takes one batch from its upload to its end: parses the file, waits for the start, hands the calls to child workflows, and
 * finishes the batch when Postgres has no open call left. Each step is chosen by the status in Postgres, so that a workflow
 * that is started again, whatever happened to the one before it, goes on where the batch is.
 */
export async function batchCall(input: BatchCallInput): Promise<Pick<BatchFacts, 'status' | 'counts'>> {
  const stopTimer = createDueTimer('until of the batch');
  const pending: PendingSignals = {
    ...{ cancelled: false, reconsider: false, interrupt: undefined },
    changed: () => pending.cancelled || pending.reconsider || stopTimer.fired(),
  };
  const children = createChildWorkflows(input);
  setHandler(cancel, () => {
    pending.cancelled = true;
    pending.interrupt?.();
  });
  setHandler(reconsider, () => void (pending.reconsider = true));
  setHandler(firstPassDone, (group) => children.returnSlot(group));

  let shown = '';
  let looked: Looked | undefined;
  let told: ToldWaits | undefined;
  setHandler(waits, (news) => {
    if (told === undefined || news.at > told.at) told = news;
    if (looked !== undefined) setCurrentDetails(detailsOf(looked, told));
  });
  for (;;) {
    pending.cancelled = false;
    pending.reconsider = false;
    const batch = await batchFacts(input);
    looked = { ...batch, at: new Date(Date.now()).toISOString() };
    setCurrentDetails(detailsOf(looked, told));
    if (batch.status !== shown) upsertSearchAttributes([{ key: statusKey, value: batch.status }]);
    shown = batch.status;
    stopTimer.set(stopTimerOf(batch));
    if (batch.windowMoving === true && (batch.status === 'scheduled' || batch.status === 'running')) {
      await moveWindow(input);
      continue;
    }
    switch (batch.status) {
      case 'parsing':
        await parse(input, pending);
        break;
      case 'scheduled':
        await startWhenDue(input, batch, pending);
        break;
      case 'running':
        await callEverybody(input, children, pending);
        break;
      case 'cancelling':
        await cancelEverybody(input, children, pending);
        break;
      default:
        await children.close();
        return { status: batch.status, ...(batch.counts === undefined ? {} : { counts: batch.counts }) };
    }
  }
}

pinToVersion(batchCall);

/** When to look at the batch again because it stops then; null: it does not. The database's clock may be behind this one. */
function stopTimerOf({ stopsAt }: BatchFacts): number | null {
  if (stopsAt === undefined || !patched('batches-stop-at-an-instant')) return null;
  const [stopsMs, nowMs] = [Date.parse(stopsAt), Date.now()];
  return stopsMs > nowMs ? stopsMs : nowMs + 1_000;
}

async function parse(input: BatchCallInput, pending: PendingSignals): Promise<void> {
  const { parseBatch } = proxyActivities<Activities>({ ...watched, taskQueue: filesQueue(workflowInfo().taskQueue) });
  const parsing = new CancellationScope();
  pending.interrupt = () => parsing.cancel();
  try {
    if (!pending.cancelled) await parsing.run(() => parseBatch(input));
  } catch (error) {
    if (!isCancellation(error) || !pending.cancelled) throw error;
  } finally {
    pending.interrupt = undefined;
  }
}

async function startWhenDue(input: BatchCallInput, { startsAt }: BatchFacts, pending: PendingSignals): Promise<void> {
  const waitMs = Date.parse(startsAt) - Date.now();
  const { changed } = pending;
  if (waitMs > 0 && (await condition(changed, waitMs, { summary: 'start of the batch' }))) return;
  if (!changed()) await startBatch({ ...input, now: new Date(Date.now()).toISOString() });
}

/** Runs until no call is open, or the batch is cancelled or changed. */
async function callEverybody(input: BatchCallInput, children: ChildWorkflows, pending: PendingSignals): Promise<void> {
  const { groups, callsPerWorkflow, concurrency } = await openGroups(input);
  const slots = Math.ceil(Math.max(firstAttemptsAhead, 2 * concurrency) / callsPerWorkflow);
  const { changed } = pending;
  // A child that has not heard how its last call ended would wait for it for ever.
  const settled = children.allBut(groups);
  if (settled.length > 0 && patched('settled-groups-read-again')) await children.remind(settled);
  for (const group of groups) {
    if (children.has(group)) continue;
    await condition(() => changed() || children.slotsTaken() < slots);
    if (changed()) return;
    children.add(group, groups.length > slots);
  }
  await condition(() => changed() || children.size() === 0);
  if (changed()) return;
  // Does nothing if a call is still open: then the next round starts a child for it.
  const answer = await finishBatch(input);
  if (answer?.waits !== true || changed()) return;
  // Open for more, or with added groups under way. It has no child, so a new run forgets nothing.
  if (workflowInfo().continueAsNewSuggested) await continueAsNew<typeof batchCall>(input);
  if (answer.until === undefined) await condition(changed);
  else await condition(changed, afterMs(answer.until), { summary: 'analyses that may have recipients called again' });
}

/** Until just after an instant. */
const afterMs = (at: string): number => Math.max(Date.parse(at) - Date.now(), 0) + 1_000;

/** Runs until every call is settled: no attempt can be dialed and no leg is live. */
async function cancelEverybody(
  input: BatchCallInput,
  children: ChildWorkflows,
  pending: PendingSignals,
): Promise<void> {
  for (let round = 0; ; round += 1) {
    pending.cancelled = false;
    const { unsettled } = await cancelCalls(input);
    if (!unsettled) break;
    // A graceful cancel may have been made an immediate one: look at once.
    await condition(() => pending.cancelled, cancelPausesMs[round] ?? cancelPauseMs, { summary: 'live calls' });
  }
  await children.close();
  await finishBatch(input);
}

/** What Postgres said of a batch, and when. */
interface Looked extends BatchFacts {
  readonly at: string;
}

/**
 * The state of the batch for an operator who looks at Temporal: of the last look at Postgres, or of what the watchdog told since.
 * What Postgres has counted since then is in the API. A query answers it, so it adds nothing to the history.
 */
function detailsOf({ status, calls, startsAt, counts, at }: Looked, told: ToldWaits | undefined): string {
  if (status === 'scheduled') return `${calls} calls, to start at ${startsAt}.`;
  const running = status === 'running' ? told : undefined;
  const latest = running !== undefined && running.at > at ? running : { counts, at };
  const counted = Object.entries(latest.counts ?? {}).flatMap(([name, count]) =>
    count > 0 ? [`${count} ${name}`] : [],
  );
  const numbers = counted.length === 0 ? '' : `; at ${latest.at}: ${counted.join(', ')}`;
  return `${status}: ${calls} calls in the file${numbers}.${running === undefined ? '' : ` At ${running.at}: ${running.waitingFor}`}`;
}

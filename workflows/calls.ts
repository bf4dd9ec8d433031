import {
  condition,
  continueAsNew,
  getExternalWorkflowHandle,
  patched,
  proxyActivities,
  setCurrentDetails,
  setHandler,
  upsertSearchAttributes,
  workflowInfo,
} from '@temporalio/workflow';
import type { Activities } from '../activities/create-activities.js';
import { createDueTimer } from './due-timer.js';
import { type CarriedLedger, createLedger } from './call-ledger.js';
import { isAddedGroup } from '../domain/batch/fan-out.js';
import type { CallsInput, EndedAttempt } from '../domain/workflow/contract.js';
import { pinToVersion } from './pinned.js';
import { statusKey } from './search-attributes.js';
import { attemptsEnded, callsAtWork, type CallsProgress, firstPassDone, progress, reload } from './signals.js';

// Both are quick and idempotent. An outage of Postgres delays calls and does not end them: both are retried for ever.
const { addedGroupEnded, openCalls, queueAttempts } = proxyActivities<Activities>({
  startToCloseTimeout: '10 seconds',
  retry: { initialInterval: '200 ms', maximumInterval: '10 seconds' },
});

/**
 * Retries that are due within this time go into the queue with those that are due now; the queue holds each back until its
 * own instant. Many calls end at nearly the same time, and so do their delays: queued one by one, each retry would cost a
 * workflow task and an activity.
 */
const queueAheadMs = 2_000;
/** So long before the next one is due the workflow wakes: queueing takes a workflow task and an activity. */
const wakeAheadMs = 500;

/** State that one run hands to the next when the history has grown long. */
interface Carried {
  readonly ledger: CarriedLedger;
  readonly laneReturned: boolean;
}

/**
 * Takes 1 to 500 calls, a batch's or a single one, through their attempts: puts each attempt in the queue when it is due, and
 * waits for the signal that tells how it ended and when the next one is due. Postgres decides who is called and how a call
 * ended; this workflow keeps the time, and can be started again from Postgres at any moment.
 */
export async function calls(input: CallsInput, carried?: Carried): Promise<void> {
  const ledger = createLedger(carried?.ledger);
  const aheadMs = patched('retries-are-queued-ahead') ? queueAheadMs : 0;
  const timer = createDueTimer('next attempt due');
  const inbox: EndedAttempt[] = [];
  let stale = carried === undefined;
  const isStale = (): boolean => stale;
  let laneReturned = carried?.laneReturned ?? false;
  let shown = '';

  // Signals only fill the inbox: one that comes while Postgres is asked is applied to its answer.
  setHandler(attemptsEnded, (ended) => void inbox.push(...ended));
  setHandler(reload, () => void (stale = true));
  setHandler(progress, () => ledger.progress());
  setHandler(callsAtWork, () => ledger.list());

  for (;;) {
    if (stale) {
      stale = false;
      const open = await openCalls(carriedCalls(input));
      ledger.load(open, Date.now());
    }
    ledger.take(inbox.splice(0));
    if (ledger.isEmpty()) {
      if (!('batchId' in input) || !isAddedGroup(input.group)) break;
      shown = show(ledger.progress(), shown);
      await addedGroupEnded({ accountId: input.accountId, batchId: input.batchId });
      // One of its calls may have been called again meanwhile, and nobody would tell the batch of its end.
      if (!isStale() || !patched('called-again-while-ending')) return;
      continue;
    }

    const due = ledger.moveDue(Date.now(), aheadMs);
    if (due.length > 0) {
      const answer = await queueAttempts({
        accountId: input.accountId,
        batchId: 'batchId' in input ? input.batchId : null,
        attempts: due,
      });
      ledger.noteAnswer(due, answer);
      if (answer.astray.length > 0) stale = true;
      continue;
    }

    if (!laneReturned && 'returnsLane' in input && input.returnsLane && ledger.firstPassDone()) {
      laneReturned = true;
      await returnSlot(input.group);
      continue;
    }
    shown = show(ledger.progress(), shown);
    if (workflowInfo().continueAsNewSuggested) {
      await continueAsNew<typeof calls>(input, { ledger: ledger.carry(), laneReturned });
    }
    const nextDueMs = ledger.nextDueMs();
    timer.set(nextDueMs === null || aheadMs === 0 ? nextDueMs : nextDueMs - wakeAheadMs);
    await condition(() => inbox.length > 0 || stale || timer.fired());
  }
  show(ledger.progress(), shown);
}

pinToVersion(calls);

/** The calls that Postgres is asked about. */
const carriedCalls = (input: CallsInput) =>
  'callId' in input
    ? { accountId: input.accountId, callId: input.callId }
    : { accountId: input.accountId, batchId: input.batchId, group: input.group };

async function returnSlot(group: number): Promise<void> {
  const { parent } = workflowInfo();
  if (parent !== undefined) await getExternalWorkflowHandle(parent.workflowId).signal(firstPassDone, group);
}

/** Shows an operator the state of the calls in Temporal. @returns the status shown */
function show({ open, queued, waiting, nextDueAt }: CallsProgress, before: string): string {
  const status = open === 0 ? 'settled' : queued > 0 ? 'calling' : 'waiting';
  setCurrentDetails(
    `${open} of these calls ${open === 1 ? 'is' : 'are'} open: ${queued} in the queue or live, ${waiting} waiting` +
      (nextDueAt === null ? '.' : ` for a retry, the next at ${nextDueAt}.`),
  );
  if (status !== before) upsertSearchAttributes([{ key: statusKey, value: status }]);
  return status;
}

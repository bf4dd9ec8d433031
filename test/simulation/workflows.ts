import { holdForHours } from '../../activities/hold-for-hours.js';
import { moveWindow } from '../../activities/move-window.js';
import type { Database } from '../../db/client.js';
import { cancelStep } from '../../db/queries/batches/cancel.js';
import { finishBatch } from '../../db/queries/batches/finish.js';
import { stopIfReached } from '../../db/queries/batches/stop.js';
import { openGroups, batchState } from '../../db/queries/batches/state.js';
import { storeAnalysis } from '../../db/queries/calls/analyses.js';
import { openCalls, type CarriedCalls } from '../../db/queries/calls/open.js';
import { queueAttempts } from '../../db/queries/calls/queue-attempts.js';
import { forgottenGroups } from '../../db/queries/upkeep/forgotten-groups.js';
import { unsettledSingleCalls } from '../../db/queries/upkeep/watchdog.js';
import { tellIfNothingIsLeft } from '../../db/queries/batches/added-groups.js';
import { clearOutbox, type OutboxRow, takeOutbox } from '../../db/queries/upkeep/outbox-sweep.js';
import type { TellWorkflow } from '../../dialer/reporter.js';
import { createLedger } from '../../workflows/call-ledger.js';
import type { EndedAttempt } from '../../domain/workflow/contract.js';
import { batchOfWorkflow, groupWorkflowId, workflowIdOf } from '../../domain/workflow/ids.js';
import { isAddedGroup } from '../../domain/batch/fan-out.js';
import { isFinished } from '../../domain/batch/batch-call.js';
import { accountId, isQueuedByRequest } from './setting.js';
import type { Process, VirtualTime } from './time.js';

/** The workflows of a simulation, played by one process that never dies: Temporal's part. */
export interface Workflows {
  /** Takes a signal as Temporal does. */
  readonly tell: TellWorkflow;
  /** Has a batch look at itself again: it was cancelled, or its window moved. */
  reconsider(batchId: string): void;
  reconsiderAll(): void;
  reloadAll(): void;
  /** Has what is in the outbox be sent. */
  readonly kickOutbox: () => void;
}

interface Carrying {
  readonly inbox: EndedAttempt[];
  stale: boolean;
  wake: () => void;
  over: boolean;
}

interface Waiting {
  wake: () => void;
  news: boolean;
  /** It is to be looked at when it stops. */
  timed: boolean;
}

const queueAheadMs = 2_000;
const activityRetryMs = 200;
const cancelLookMs = 1_000;
const watchdogMs = 30_000;
const analysisMs = 300;
/** The workflow of a call that is in the queue already begins late: most of them are over by then. */
const lateStartMs = 20_000;

/** Starts the workflows of these batches and single calls; called inside the process that plays them. */
export function startWorkflows(
  { db }: Database,
  { time, worker }: { readonly time: VirtualTime; readonly worker: Process },
  batchIds: readonly string[],
  singleCalls: readonly string[],
  /** Batches that stop after successes. */
  succeed: ReadonlySet<string>,
): Workflows {
  const carrying = new Map<string, Carrying>();
  const batches = new Map<string, Waiting>();

  /** An activity: tried until it succeeds. */
  async function activity<T>(work: () => Promise<T>): Promise<T> {
    for (;;) {
      try {
        return await work();
      } catch {
        await pause(activityRetryMs);
      }
    }
  }

  /** workflows/calls.ts without Temporal: the same ledger, the same queries. */
  async function carry(workflowId: string, calls: CarriedCalls): Promise<void> {
    if (carrying.has(workflowId)) return;
    const state: Carrying = { inbox: [], stale: true, wake: () => undefined, over: false };
    carrying.set(workflowId, state);
    const isStale = (): boolean => state.stale;
    const ledger = createLedger();
    for (;;) {
      if (state.stale) {
        state.stale = false;
        const open = await activity(() => openCalls(db, calls));
        ledger.load(
          open.map(({ callId, attempt, dueAt, queued }) => [callId, attempt, dueAt?.toISOString() ?? null, queued]),
          Date.now(),
        );
      }
      ledger.take(state.inbox.splice(0));
      if (ledger.isEmpty()) {
        if (!('batchId' in calls) || !isAddedGroup(calls.group)) break;
        const { batchId } = calls;
        await activity(() => tellIfNothingIsLeft(db, accountId, batchId));
        kickOutbox();
        if (!isStale()) break;
        continue;
      }
      const due = ledger.moveDue(Date.now(), queueAheadMs);
      if (due.length > 0) {
        const request = { accountId, batchId: 'batchId' in calls ? calls.batchId : null, attempts: due };
        const answer = await activity(async () => {
          const now = new Date();
          return holdForHours(db, request, await queueAttempts(db, request, now), now);
        });
        ledger.noteAnswer(due, answer);
        if (answer.astray.length > 0) state.stale = true;
        continue;
      }
      const nextMs = ledger.nextDueMs();
      await new Promise<void>((resolve) => {
        state.wake = resolve;
        if (state.inbox.length > 0 || state.stale) resolve();
        if (nextMs !== null) setTimeout(resolve, Math.max(1, nextMs - Date.now()));
      });
    }
    state.over = true;
    carrying.delete(workflowId);
  }

  /** workflows/batch-call.ts from `running` on. */
  async function callBatch(batchId: string): Promise<void> {
    const state: Waiting = { wake: () => undefined, news: false, timed: false };
    batches.set(batchId, state);
    for (;;) {
      state.news = false;
      let batch = await activity(() => batchState(db, accountId, batchId));
      if (batch?.mayStop === true && batch.status === 'running') {
        await activity(() => stopIfReached(db, accountId, batchId));
        batch = await activity(() => batchState(db, accountId, batchId));
      }
      if (batch === null || isFinished(batch.status)) return;
      if (batch.stopsAt !== null && !state.timed) {
        state.timed = true;
        setTimeout(() => reconsider(batchId), Math.max(1_000, batch.stopsAt.getTime() - Date.now()));
      }
      if (batch.windowMoving && batch.status === 'running') {
        await activity(() => moveWindow(db, accountId, batchId, new AbortController().signal));
        continue;
      }
      if (batch.status === 'cancelling') {
        const { unsettled } = await activity(() => cancelStep(db, accountId, batchId));
        if (!unsettled) await activity(() => finishBatch(db, accountId, batchId));
        else await Promise.race([pause(cancelLookMs), new Promise<void>((resolve) => void (state.wake = resolve))]);
        continue;
      }
      const { groups } = await activity(() => openGroups(db, accountId, batchId));
      const children = groups.map((group) => {
        const id = groupWorkflowId(batchId, group);
        const known = running.get(id);
        if (known !== undefined) return known;
        const child = carry(id, { accountId, batchId, group }).finally(() => running.delete(id));
        running.set(id, child);
        return child;
      });
      const over = Promise.all(children).then(() => 'over' as const);
      const news = new Promise<'news'>((resolve) => {
        state.wake = () => resolve('news');
        if (state.news) resolve('news');
      });
      if ((await Promise.race([over, news])) === 'news') continue;
      // What is left is not its own, or it is open for more.
      const { waits } = await activity(() => finishBatch(db, accountId, batchId));
      if (waits) await news;
    }
  }

  const running = new Map<string, Promise<void>>();

  async function watch(): Promise<void> {
    for (;;) {
      await pause(watchdogMs);
      for (const { batchId, group } of await activity(() => forgottenGroups(db))) {
        startOrReload(batchId, group);
      }
      kickOutbox();
      for (const { callId, forgotten } of await activity(() => unsettledSingleCalls(db, null))) {
        if (forgotten) reload(workflowIdOf('calls', { accountId, callId }));
      }
    }
  }

  /** A running workflow reads Postgres again; of an added group, which is no child of the batch, another is started. */
  function startOrReload(batchId: string, group: number): void {
    const workflowId = groupWorkflowId(batchId, group);
    if (isAddedGroup(group) && !carrying.has(workflowId)) void carry(workflowId, { accountId, batchId, group });
    else reload(workflowId);
  }

  function send({ kind, name, workflowId }: OutboxRow): void {
    const { batchId, group } = batchOfWorkflow(workflowId);
    if (kind === 'start' && name === 'calls' && group !== null) {
      if (!carrying.has(workflowId)) startOrReload(batchId, group);
    } else if (name === 'reload') reload(workflowId);
    else if (name === 'reconsider' || name === 'cancel') reconsider(batchId);
  }

  let kicks = 0;
  let sending = false;
  async function sendOutbox(): Promise<void> {
    if (sending) return;
    sending = true;
    while (kicks > 0) {
      kicks = 0;
      const taken = await activity(() => takeOutbox(db, 100));
      taken.forEach(send);
      const done = taken.map(({ id }) => id);
      if (done.length > 0) await activity(() => clearOutbox(db, done));
    }
    sending = false;
  }
  /** Sent by the process that plays the workflows, whichever asks for it. */
  function kickOutbox(): void {
    kicks += 1;
    void time.inside(worker, sendOutbox);
  }

  function reload(workflowId: string): void {
    const state = carrying.get(workflowId);
    if (state === undefined) return;
    state.stale = true;
    state.wake();
  }

  function reconsider(batchId: string): void {
    const state = batches.get(batchId);
    if (state === undefined) return;
    state.news = true;
    state.wake();
  }

  for (const batchId of batchIds) void callBatch(batchId);
  for (const callId of singleCalls) {
    const input = { accountId, callId };
    const begin = () => void carry(workflowIdOf('calls', input), input);
    if (isQueuedByRequest(callId)) setTimeout(begin, lateStartMs);
    else begin();
  }
  void watch();

  /** workflows/analyze-call.ts, of batches that stop after successes: each answer is one. */
  async function analyze(callId: string, attempt: number): Promise<void> {
    await pause(analysisMs);
    const own = () =>
      db
        .selectFrom('calls as c')
        .innerJoin('batches as b', 'b.id', 'c.batch_id')
        .select('c.status')
        .where('c.id', '=', callId)
        .where('b.stop_after_success', 'is not', null)
        .execute();
    const [call] = await activity(own);
    if (call?.status !== 'answered') return;
    await activity(() => storeAnalysis(db, { accountId, callId, attempt }, {}, true));
    kickOutbox();
  }

  return {
    tell(workflowId, ended) {
      const state = carrying.get(workflowId);
      if (state === undefined) return Promise.resolve('missing');
      state.inbox.push(...ended);
      if (succeed.has(batchOfWorkflow(workflowId).batchId))
        void time.inside(worker, () => Promise.all(ended.map(([callId, attempt]) => analyze(callId, attempt))));
      state.wake();
      return Promise.resolve('taken');
    },
    kickOutbox,
    reconsider,
    reconsiderAll: () => [...batches.keys()].forEach(reconsider),
    reloadAll: () => [...carrying.keys()].forEach(reload),
  };
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => void setTimeout(resolve, ms));

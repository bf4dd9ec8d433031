import type { WorkflowControl } from '../activities/deps.js';
import type { Db } from '../db/client.js';
import { clearOutbox, isOver, type OutboxRow, postponeOutbox, takeOutbox } from '../db/queries/upkeep/outbox-sweep.js';
import { uuidOf } from '../domain/ids.js';
import { batchOfWorkflow, subjectOfWorkflow } from '../domain/workflow/ids.js';
import type { Logger } from '../platform/logger.js';

/** Entries taken at once. So few are tried before they may be taken again, however slowly Temporal answers. */
const atOnce = 20;
const requestsAtOnce = 10;
/** Characters of an error's message that are kept with an entry. */
const longestError = 500;

/** Sends the entries of the outbox to Temporal. Any number of processes may do so at the same time. */
export interface OutboxSender {
  /** Sends everything that is due, at least once each. @returns how many entries are done */
  sendDue(): Promise<number>;
  /** Sends soon, without being waited for: called after a commit that wrote to the outbox. Never throws. */
  kick(): void;
  /** Waits for what is under way. */
  settle(): Promise<void>;
}

/** @returns true if the entry is done: its workflow has taken it, or has rightly ended */
async function send(db: Db, workflows: WorkflowControl, row: OutboxRow): Promise<boolean> {
  if (row.kind === 'start') {
    await workflows.start(row.name, row.workflowId, row.input);
    return true;
  }
  if ((await workflows.signal(row.workflowId, row.name, row.input)) === 'taken') return true;
  // A summary that begins later looks for the last words itself (workflows/summarize-call.ts).
  if (row.name === 'transcriptClosed') return true;
  const callId = uuidOf('call', row.workflowId);
  return isOver(db, callId === null ? batchOfWorkflow(row.workflowId) : { callId });
}

export function createOutboxSender(workflows: WorkflowControl, db: Db, logger: Logger): OutboxSender {
  let kicks = 0;
  let underWay: Promise<void> | undefined;

  async function sendOne(row: OutboxRow): Promise<string | null> {
    try {
      if (await send(db, workflows, row)) return row.id;
      await postpone(row, 'The workflow cannot be found; the watchdog will start it again.');
    } catch (error) {
      const message = (error instanceof Error ? error.message : String(error)).slice(0, longestError);
      logger.warn(
        { workflowId: row.workflowId, ...subjectOfWorkflow(row.workflowId), entry: row.name, err: error },
        'an outbox entry could not be handed to Temporal; trying again',
      );
      await postpone(row, message);
    }
    return null;
  }

  /** One that cannot be postponed is tried again when its lease is over; what was taken with it is done all the same. */
  async function postpone(row: OutboxRow, why: string): Promise<void> {
    // PostgreSQL stores no NUL.
    await postponeOutbox(db, row.id, why.replaceAll('\0', '')).catch((error: unknown) =>
      logger.error(
        { workflowId: row.workflowId, ...subjectOfWorkflow(row.workflowId), entry: row.name, err: error },
        'an outbox entry could not be postponed; trying again',
      ),
    );
  }

  async function sendDue(): Promise<number> {
    let total = 0;
    for (;;) {
      const taken = await takeOutbox(db, atOnce);
      const rest = taken.values();
      const done: string[] = [];
      const one = async (): Promise<void> => {
        for (const row of rest) {
          const id = await sendOne(row);
          if (id !== null) done.push(id);
        }
      };
      await Promise.all(Array.from({ length: Math.min(requestsAtOnce, taken.length) }, one));
      await clearOutbox(db, done);
      total += done.length;
      // If nothing gets through, the rest waits for the next sweep.
      if (taken.length < atOnce || done.length === 0) return total;
    }
  }

  async function drain(): Promise<void> {
    while (kicks > 0) {
      kicks = 0;
      try {
        await sendDue();
      } catch (error) {
        logger.warn({ err: error }, 'the outbox could not be read; trying again');
        return;
      }
    }
  }

  return {
    sendDue,
    kick() {
      kicks += 1;
      underWay ??= drain().finally(() => (underWay = undefined));
    },
    settle: async () => underWay,
  };
}

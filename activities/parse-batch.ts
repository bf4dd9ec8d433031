import type { ContactsChunk, ContactsFile } from '../contacts/contacts.js';
import { contactsOfFile } from '../contacts/read-apart.js';
import { UnusableFile } from '../contacts/unusable-file.js';
import type { Db } from '../db/client.js';
import { copyTransaction, type CopyTransaction } from '../db/copy-transaction.js';
import { guardrailsInForce } from '../db/queries/accounts/guardrails.js';
import { agentTexts } from '../db/queries/agents/texts.js';
import {
  allowPauses,
  type BatchToFill,
  batchToFill,
  beginParsing,
  copyCalls,
  copyCorrectedRows,
  copyRejectedRows,
  countLostReader,
  failParsing,
  fileToParse,
  type FileToParse,
  finishParsing,
  giveUpParsing,
  numbersNotToCall,
} from '../db/queries/batches/parse.js';
import { copyRecipients } from '../db/queries/batches/retry.js';
import { mostLosses } from '../db/queries/upkeep/reading-losses.js';
import { batchesToReadFirst } from '../db/queries/upkeep/reading-turns.js';
import { idsPresent, lockRecipients } from '../db/queries/batches/add-recipients.js';
import { savepoint } from '../db/savepoint.js';
import { columnsSpoken, unfilledByFile } from '../domain/agent-config/placeholders.js';
import { prioritiesOf } from '../domain/batch/dialing-order.js';
import { callsPerWorkflow } from '../domain/batch/fan-out.js';
import { withHeartbeat } from './heartbeat.js';
import type { ActivityDeps } from './deps.js';
import { isFaultOfWhatWasRead, thisReader } from './reading-try.js';
import { requireTurn } from './reading-turn.js';

/** The batch's status is no longer `parsing`, or this activity was aborted: rolls back what was stored. */
class ParsingOver extends Error {}

const interrupted =
  'Reading the file was interrupted again and again. Upload it again; if it is a workbook, save its first sheet as CSV ' +
  'and upload that.';

/**
 * Reads a batch's file, or the recipients of the batch that it repeats, into calls and rejected rows, in one transaction
 * with the batch's next status: a worker that dies half-way leaves nothing, and doing it again after it was done changes
 * nothing. A file that cannot be used makes the batch `parse_failed`; that is an outcome, not a failure of the activity.
 */
export async function parseBatch(
  {
    database,
    kickOutbox,
    callsPerWorkflow: wanted,
  }: Pick<ActivityDeps, 'database' | 'kickOutbox' | 'callsPerWorkflow'>,
  { accountId, batchId }: { readonly accountId: string; readonly batchId: string },
): Promise<void> {
  const { db, pool } = database;
  await withHeartbeat(async (signal) => {
    requireTurn(await batchesToReadFirst(db, accountId, batchId));
    const begun = await beginParsing(db, { accountId, batchId }, thisReader);
    if (begun === null) return;
    if (begun.losses >= mostLosses) {
      await db.transaction().execute((tx) => failParsing(tx, batchId, interrupted, 0));
      return;
    }
    const opened = await openFile(db, accountId, batchId, signal);
    try {
      await copyTransaction(pool, async (transaction) => {
        const { tx } = transaction;
        await allowPauses(tx);
        // Before anything else: requests that add recipients with ids wait until those of this one are known.
        if (opened?.file.extension === 'json') await lockRecipients(tx, accountId, batchId);
        const batch = await batchToFill(tx, accountId, batchId);
        if (batch === null) return;
        const { retriedFrom } = batch;
        const texts = await agentTexts(tx, accountId, batch);
        const parsed =
          retriedFrom !== null
            ? await storeCopies(tx, { ...batch, retriedFrom })
            : opened === null
              ? null
              : await storeContacts(transaction, opened, await idsPresent(tx, batchId), signal);
        if (parsed === null) return;
        const done = await finishParsing(tx, batchId, {
          ...parsed,
          callsPerWorkflow: callsPerWorkflow(parsed.uploaded, wanted),
          unfilledPlaceholders: unfilledByFile(texts, parsed.columns),
        });
        if (!done) throw new ParsingOver();
      });
    } catch (error) {
      if (isFaultOfWhatWasRead(error)) await countLostReader(db, batchId);
      else await giveUpParsing(db, batchId, thisReader).catch(() => undefined);
      if (!(error instanceof ParsingOver) && !signal.aborted) throw error;
    } finally {
      await opened?.close();
    }
  });
  kickOutbox();
}

interface OpenedFile {
  readonly file: FileToParse;
  readonly chunks: AsyncIterable<ContactsChunk>;
  readonly summary: ContactsFile['summary'];
  close(): Promise<void>;
}

/**
 * Starts reading the file and waits for its first rows or its error, before the transaction begins: the database holds no
 * lock while a workbook is being opened.
 *
 * @returns null if the batch has no file to read
 */
async function openFile(db: Db, accountId: string, batchId: string, signal: AbortSignal): Promise<OpenedFile | null> {
  const file = await fileToParse(db, accountId, batchId);
  if (file === null) return null;
  const { guardrails } = await guardrailsInForce(db, accountId);
  const texts = file.onUnfilled === 'allow' ? [] : await agentTexts(db, accountId, file);
  const { chunks, summary } = contactsOfFile(file.bytes, file.extension, {
    ...(file.columnNames === null ? {} : { columnNames: file.columnNames }),
    duplicates: file.duplicates,
    missingPlus: file.missingPlus,
    defaultCountry: file.defaultCountry,
    columnsToFill: columnsSpoken(texts),
    withTimeZones: file.byRecipientsZones,
    refuseUnknownZones: file.byRecipientsZones || guardrails.callingHours.length > 0,
    mayBeEmpty: file.open,
    isDoNotCall: (numbers) => numbersNotToCall(db, file.accountId, numbers),
    signal,
  });
  const rest = chunks[Symbol.asyncIterator]();
  const first = rest.next();
  await first.catch(() => undefined); // the reader of the chunks gets the error
  async function* walk(): AsyncGenerator<ContactsChunk> {
    for (let next = await first; next.done !== true; next = await rest.next()) yield next.value;
  }
  const close = async (): Promise<void> => {
    await rest.return?.();
  };
  return { file, chunks: walk(), summary, close };
}

interface StoredContacts {
  readonly columns: readonly string[];
  readonly uploaded: number;
  readonly rejected: number;
  readonly corrected: number;
  readonly priorities: readonly number[] | null;
  readonly startsWhole: boolean;
  readonly hasZones: boolean;
}

/** @returns null if no recipient is left to call; the batch is then `parse_failed` */
async function storeCopies(
  tx: Db,
  batch: BatchToFill & { readonly retriedFrom: string },
): Promise<StoredContacts | null> {
  const copied = await copyRecipients(tx, batch);
  if (copied.uploaded > 0) return { ...copied, corrected: 0, startsWhole: copied.priorities !== null };
  const message = 'No number is left to call: every number is on the do-not-call list or cannot be reached.';
  await failParsing(tx, batch.batchId, message, copied.rejected);
  return null;
}

/** @returns null if the file cannot be used; the batch is then `parse_failed` */
async function storeContacts(
  transaction: CopyTransaction,
  { file, chunks, summary }: OpenedFile,
  alreadyAdded: ReadonlySet<string>,
  signal: AbortSignal,
): Promise<StoredContacts | null> {
  const { tx } = transaction;
  let uploaded = 0;
  let rejected = 0;
  const asked = new Set<number>();
  let isHeldBack = false;
  let hasZones = false;
  // The database stores one chunk while the next is being read.
  let storing = Promise.resolve();
  const dropStored = await savepoint(tx);
  try {
    try {
      for await (const read of chunks) {
        const chunk = without(read, alreadyAdded);
        await storing;
        if (signal.aborted) throw new ParsingOver();
        storing = storeChunk(transaction, file, uploaded, chunk);
        storing.catch(() => undefined); // no unhandled rejection until the next round awaits it
        for (const { priority, notBefore, timeZones } of chunk.recipients) {
          if (priority !== undefined) asked.add(priority);
          isHeldBack ||= notBefore !== undefined;
          hasZones ||= timeZones !== undefined;
        }
        uploaded += chunk.recipients.length;
        rejected += chunk.rejected.length;
      }
    } finally {
      await storing;
    }
  } catch (error) {
    if (!(error instanceof UnusableFile)) throw error;
    // A file of nothing but bad rows keeps them, so that its owner sees what to correct; half a file is not kept.
    if (uploaded > 0) await dropStored();
    await failParsing(tx, file.batchId, error.message, uploaded > 0 ? 0 : rejected);
    return null;
  }
  const { columns, corrected } = summary();
  const priorities = prioritiesOf(asked);
  const startsWhole = isHeldBack || priorities !== null;
  return { columns, uploaded, rejected, corrected, priorities, startsWhole, hasZones };
}

/** A chunk without the recipients that a request has added before they were read here. */
const without = (chunk: ContactsChunk, ids: ReadonlySet<string>): ContactsChunk =>
  ids.size === 0
    ? chunk
    : { ...chunk, recipients: chunk.recipients.filter(({ id }) => id === undefined || !ids.has(id)) };

async function storeChunk(
  transaction: CopyTransaction,
  file: FileToParse,
  firstPosition: number,
  { recipients, rejected, corrected }: ContactsChunk,
): Promise<void> {
  await copyCalls(transaction, file, firstPosition, recipients);
  await copyRejectedRows(transaction, file, rejected);
  await copyCorrectedRows(transaction, file, corrected);
}

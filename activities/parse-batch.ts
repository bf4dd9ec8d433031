import { sql } from 'kysely';
import { parseContacts } from '../contacts/parse-contacts.js';
import type { ContactsChunk } from '../contacts/contacts.js';
import { UnusableFile } from '../contacts/unusable-file.js';
import type { Db } from '../db/client.js';
import { copyTransaction, type CopyTransaction } from '../db/copy-transaction.js';
import { agentTextsOfRule } from '../db/queries/agent-texts.js';
import {
  type BatchToFill,
  batchToFill,
  copyCalls,
  copyRejectedRows,
  failParsing,
  fileToParse,
  type FileToParse,
  finishParsing,
  numbersNotToCall,
} from '../db/queries/batch-parse.js';
import { copyRecipients } from '../db/queries/batch-retry.js';
import { unfilledByFile } from '../domain/agent-config/placeholders.js';
import { callsPerWorkflow } from '../domain/fan-out.js';
import { beating } from './beating.js';
import type { ActivityDeps } from './deps.js';

/** The batch is not parsing any more: what was stored for it is rolled back. */
class ParsingOver extends Error {}

/**
 * Reads a batch's file, or the recipients of the batch that it repeats, into calls and rejected rows, in one transaction with the batch's next status: a worker that dies
 * half-way leaves nothing, and doing it again after it was done changes nothing. A file that cannot be used makes the
 * batch `parse_failed`; that is an outcome, not a failure of the activity.
 */
export async function parseBatch(
  {
    database,
    kickOutbox,
    callsPerWorkflow: wanted,
  }: Pick<ActivityDeps, 'database' | 'kickOutbox' | 'callsPerWorkflow'>,
  { accountId, batchId }: { readonly accountId: string; readonly batchId: string },
): Promise<void> {
  await beating(async (signal) => {
    try {
      await copyTransaction(database.pool, async (transaction) => {
        const { tx } = transaction;
        const batch = await batchToFill(tx, accountId, batchId);
        if (batch === null) return;
        const { retriedFrom } = batch;
        const parsed =
          retriedFrom === null
            ? await storeContacts(database.db, transaction, await fileToParse(tx, batch), signal)
            : await storeCopies(tx, { ...batch, retriedFrom });
        if (parsed === null) return;
        const texts = await agentTextsOfRule(tx, accountId, batch.ruleId);
        const done = await finishParsing(tx, batchId, {
          ...parsed,
          callsPerWorkflow: callsPerWorkflow(parsed.uploaded, wanted),
          unfilledPlaceholders: texts === null ? [] : unfilledByFile(texts, parsed.columns),
        });
        if (!done) throw new ParsingOver();
      });
    } catch (error) {
      if (!(error instanceof ParsingOver)) throw error;
    }
  });
  kickOutbox();
}

interface StoredContacts {
  readonly columns: readonly string[];
  readonly uploaded: number;
  readonly rejected: number;
  readonly corrected: number;
}

/** null: nobody is left to call, and the batch says so. */
async function storeCopies(
  tx: Db,
  batch: BatchToFill & { readonly retriedFrom: string },
): Promise<StoredContacts | null> {
  const copied = await copyRecipients(tx, batch);
  if (copied.uploaded > 0) return { ...copied, corrected: 0 };
  const words = 'Nobody is left to call: every number is on the do-not-call list or cannot be reached.';
  await failParsing(tx, batch.batchId, words, copied.rejected);
  return null;
}

/** null: the file cannot be used, and the batch says so. */
async function storeContacts(
  db: Db,
  transaction: CopyTransaction,
  file: FileToParse,
  signal: AbortSignal,
): Promise<StoredContacts | null> {
  const { tx } = transaction;
  const contacts = parseContacts(file.bytes, file.extension, {
    duplicates: file.duplicates,
    missingPlus: file.missingPlus,
    withTimeZones: file.byRecipientsZones,
    isDoNotCall: (numbers) => numbersNotToCall(db, file.accountId, numbers),
  });
  let uploaded = 0;
  let rejected = 0;
  // The database stores one chunk while the next is being read.
  let storing = Promise.resolve();
  await sql`savepoint nothing_stored`.execute(tx);
  try {
    try {
      for await (const chunk of contacts.chunks) {
        await storing;
        if (signal.aborted) throw new ParsingOver();
        storing = storeChunk(transaction, file, uploaded, chunk);
        storing.catch(() => undefined); // awaited in the next round; until then nobody must be alarmed
        uploaded += chunk.recipients.length;
        rejected += chunk.rejected.length;
      }
    } finally {
      await storing;
    }
  } catch (error) {
    if (!(error instanceof UnusableFile)) throw error;
    // A file of nothing but bad rows keeps them, so that its owner sees what to mend; half a file is not kept.
    if (uploaded > 0) await sql`rollback to savepoint nothing_stored`.execute(tx);
    await failParsing(tx, file.batchId, error.message, uploaded > 0 ? 0 : rejected);
    return null;
  }
  const { columns, corrected } = contacts.summary();
  return { columns, uploaded, rejected, corrected };
}

async function storeChunk(
  transaction: CopyTransaction,
  file: FileToParse,
  firstPosition: number,
  { recipients, rejected }: ContactsChunk,
): Promise<void> {
  await copyCalls(transaction, file, firstPosition, recipients);
  await copyRejectedRows(transaction, file, rejected);
}

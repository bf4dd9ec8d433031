import { sql } from 'kysely';
import { v7 as uuidv7 } from 'uuid';
import { firstAddedPosition } from '../../../domain/batch/fan-out.js';
import { drawVariant, type Variant, variantKey } from '../../../domain/batch/variants.js';
import type { ColumnNames } from '../../../domain/batch/column-names.js';
import type { DialingOrder } from '../../../domain/batch/dialing-order.js';
import type { UnfilledRule } from '../../../domain/account/defaults.js';
import type { UnfilledPlaceholder } from '../../../domain/agent-config/placeholders.js';
import type { Db } from '../../client.js';
import { copyField, type CopyTransaction } from '../../copy-transaction.js';
import { announceBatch } from './events.js';
import { postgresFiles } from './files.js';
import { enterRunning } from './start.js';
import type { RowReason } from '../../../domain/batch/row-reasons.js';
import { lossOfReader } from '../upkeep/reading-losses.js';

/** A batch that still has to get its recipients. */
export interface BatchToFill {
  readonly accountId: string;
  readonly batchId: string;
  readonly fromNumber: string;
  readonly ruleId: string;
  readonly gatewayId: string;
  readonly agentId: string;
  /** Among which recipients are divided; null: all get the agent. */
  readonly variants: readonly Variant[] | null;
  readonly simulated: boolean;
  /** The batch that they are taken from; null: they are in its file. */
  readonly retriedFrom: string | null;
  readonly retriedStatuses: readonly string[];
  readonly duplicates: 'call' | 'skip';
  readonly missingPlus: 'reject' | 'add';
  /** The file's headers by the names that they get; null: their own. */
  readonly columnNames: ColumnNames | null;
  /** Country whose national numbers the file may contain; null: none. */
  readonly defaultCountry: string | null;
  /** How to treat a placeholder of prompt or greeting that stays empty. */
  readonly onUnfilled: UnfilledRule;
  /** Whether it may begin without a recipient, because more are to come. */
  readonly open: boolean;
  /** Whether the calling window follows each callee's own clock. */
  readonly byRecipientsZones: boolean;
}

/** The settings and bytes for reading a batch's file. */
export interface FileToParse extends BatchToFill {
  readonly extension: 'csv' | 'xls' | 'xlsx' | 'json';
  readonly bytes: Buffer;
}

/** A try that was begun. */
export interface ParsingTry {
  /** What has been lost over this file before, in lost workers. */
  readonly losses: number;
}

/**
 * Begins a try, and counts the one before it if the process that made it has not said how it ended.
 *
 * @param reader names this process
 * @returns null if the batch is not, or no longer, to be parsed
 */
export async function beginParsing(
  db: Db,
  { accountId, batchId }: { readonly accountId: string; readonly batchId: string },
  reader: string,
): Promise<ParsingTry | null> {
  const { rows } = await sql<ParsingTry>`
    update batches set parse_reader = ${reader},
      parse_tries = parse_tries + case when parse_reader is not null and parse_reader <> ${reader} then 1 else 0 end
    where id = ${batchId} and account_id = ${accountId} and status = 'parsing'
    returning parse_tries as losses`.execute(db);
  return rows[0] ?? null;
}

/** A try has ended without a result, for a reason that its process knows: it is not counted. */
export async function giveUpParsing(db: Db, batchId: string, reader: string): Promise<void> {
  await sql`
    update batches set parse_reader = null
    where id = ${batchId} and parse_reader = ${reader} and status = 'parsing'`.execute(db);
}

/** A try has cost a reader its life, and this process has seen it. */
export async function countLostReader(db: Db, batchId: string): Promise<void> {
  await sql`
    update batches set parse_tries = parse_tries + ${lossOfReader}, parse_reader = null
    where id = ${batchId} and status = 'parsing'`.execute(db);
}

/**
 * A batch that is still to be parsed, else null. Waits for another transaction that parses it, and locks it while this one lives:
 * an activity that was given up may still be at it.
 */
export async function batchToFill(tx: Db, accountId: string, batchId: string): Promise<BatchToFill | null> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${batchId}, 0))`.execute(tx);
  return parsingBatch(tx, accountId, batchId);
}

async function parsingBatch(db: Db, accountId: string, batchId: string): Promise<BatchToFill | null> {
  const { rows } = await sql<BatchToFill>`
    select b.account_id as "accountId", b.id as "batchId", b.from_number as "fromNumber", b.rule_id as "ruleId",
      b.gateway_id as "gatewayId", b.agent_id as "agentId", b.variants, b.simulated, b.duplicates, b.missing_plus as "missingPlus",
      b.column_names as "columnNames", b.default_country as "defaultCountry", b.on_unfilled as "onUnfilled", b.open,
      b.retried_from as "retriedFrom", coalesce(b.retried_statuses, '{}') as "retriedStatuses",
      coalesce(b.calling_window ->> 'timezone' = 'recipient', false) as "byRecipientsZones"
    from batches b
    where b.id = ${batchId} and b.account_id = ${accountId} and b.status = 'parsing'`.execute(db);
  return rows[0] ?? null;
}

/** The upload of a batch that is to be parsed, and how. null: it has none, or is not, or no longer, to be parsed. */
export async function fileToParse(db: Db, accountId: string, batchId: string): Promise<FileToParse | null> {
  const batch = await parsingBatch(db, accountId, batchId);
  if (batch?.retriedFrom !== null) return null;
  const file = await postgresFiles(db).get(accountId, batchId);
  if (file === null) throw new Error(`The file of ${batchId} is gone.`);
  return { ...batch, extension: file.extension, bytes: file.bytes };
}

/**
 * Lets a transaction wait for rows of a file, which may take their time, longer than one that holds locks others need.
 */
export async function allowPauses(tx: Db): Promise<void> {
  await sql`set local idle_in_transaction_session_timeout = '90s'`.execute(tx);
}

export interface NewCall extends DialingOrder {
  readonly phoneNumber: string;
  /** The client's own id. */
  readonly id?: string;
  readonly metadataJson: string;
  readonly optionsJson?: string;
  readonly timeZones?: readonly string[];
}

/** Stores recipients as calls, from this place among the good rows on; their ids ascend with it. */
export async function copyCalls(
  { copy }: CopyTransaction,
  file: FileToParse,
  firstPosition: number,
  recipients: readonly NewCall[],
): Promise<void> {
  if (recipients.length === 0) return;
  const { accountId, batchId, fromNumber, ruleId, gatewayId, agentId, variants, simulated } = file;
  const before = `\t${accountId}\t${batchId}\t`;
  const after = (agent: string): string =>
    `\t${fromNumber}\t${ruleId}\t${gatewayId}\t${agent}\t${simulated ? 't' : 'f'}\t`;
  const afterAll = after(agentId);
  let lines = '';
  recipients.forEach((recipient, index) => {
    const { id, phoneNumber, metadataJson, optionsJson, timeZones, priority, notBefore } = recipient;
    const zones = timeZones === undefined || timeZones.length === 0 ? '\\N' : `{${timeZones.join()}}`;
    const position = firstPosition + index;
    const variant =
      variants === null
        ? null
        : drawVariant(variants, batchId, { ...(id === undefined ? {} : { id }), phoneNumber, position });
    const rest = variant === null ? afterAll : after(variant.agentId);
    const drawn = variant === null ? '' : `\t${variantKey(variant)}`;
    lines += `${uuidv7()}${before}${position}\t${phoneNumber}${rest}${copyField(metadataJson)}\t${zones}\t${fieldOrNull(id)}\t${fieldOrNull(optionsJson)}\t${fieldOrNull(priority?.toString())}\t${fieldOrNull(notBefore)}\t${fieldOrNull(notBefore)}${drawn}\n`;
  });
  await copy(
    'calls (id, account_id, batch_id, position, to_number, from_number, rule_id, gateway_id, agent_id, simulated, metadata, time_zones, ' +
      `recipient_id, options, priority, not_before, next_attempt_at${variants === null ? '' : ', variant'})`,
    lines,
  );
}

/** Which of these E.164 numbers are on the account's do-not-call list. */
export async function numbersNotToCall(
  db: Db,
  accountId: string,
  numbers: readonly string[],
): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ e164: string }>`
    select e164 from do_not_call where account_id = ${accountId} and e164 = any (${[...numbers]}::text[])`.execute(db);
  return new Set(rows.map((row) => row.e164));
}

/** A value of COPY's text format that may be missing. */
const fieldOrNull = (text: string | undefined): string => (text === undefined ? '\\N' : copyField(text));

export interface NewRejectedRow {
  readonly row: number;
  /** The client's own id. */
  readonly id?: string;
  readonly value: string;
  readonly reason: RowReason;
  readonly message: string;
}

/** Stores rows that will not be called. */
export async function copyRejectedRows(
  { copy }: CopyTransaction,
  { accountId, batchId }: FileToParse,
  rejected: readonly NewRejectedRow[],
): Promise<void> {
  if (rejected.length === 0) return;
  const lines = rejected.map(
    ({ row, id, value, reason, message }) =>
      `${batchId}\t${row}\t${accountId}\t${copyField(value)}\t${reason}\t${copyField(message)}\t${fieldOrNull(id)}\n`,
  );
  await copy('rejected_rows (batch_id, row, account_id, value, reason, message, recipient_id)', lines.join(''));
}

export interface NewCorrectedRow {
  readonly row: number;
  /** As it was written. */
  readonly value: string;
  readonly phoneNumber: string;
}

/** Stores which rows are dialed otherwise than they were written. */
export async function copyCorrectedRows(
  { copy }: CopyTransaction,
  { accountId, batchId }: FileToParse,
  corrected: readonly NewCorrectedRow[],
): Promise<void> {
  if (corrected.length === 0) return;
  const lines = corrected.map(
    ({ row, value, phoneNumber }) => `${batchId}\t${row}\t${accountId}\t${copyField(value)}\t${phoneNumber}\n`,
  );
  await copy('corrected_rows (batch_id, row, account_id, value, phone_number)', lines.join(''));
}

export interface ParsedFile {
  readonly columns: readonly string[];
  readonly uploaded: number;
  readonly rejected: number;
  readonly corrected: number;
  readonly callsPerWorkflow: number;
  readonly unfilledPlaceholders: readonly UnfilledPlaceholder[];
  /** Of the recipients, ascending; null: all have the ordinary one. */
  readonly priorities: readonly number[] | null;
  /** Whether recipients are to be dialed in another order than that of the file. */
  readonly startsWhole: boolean;
  /** Whether recipients have time zones that are known. */
  readonly hasZones: boolean;
}

/**
 * Ends the parsing of a usable file: an immediate batch runs, another waits for its time.
 *
 * @returns false if the batch is no longer parsing, because it was cancelled: roll back
 */
export async function finishParsing(tx: Db, batchId: string, parsed: ParsedFile): Promise<boolean> {
  const { rows } = await sql<{ timing: string }>`
    update batches set records_uploaded = records_uploaded + ${parsed.uploaded}, records_rejected = ${parsed.rejected},
      records_corrected = ${parsed.corrected}, columns = ${parsed.columns}::text[]
        || array(select name from unnest(columns) as name where name <> all (${parsed.columns}::text[])),
      unfilled_placeholders = ${JSON.stringify(parsed.unfilledPlaceholders)}::jsonb, calls_per_workflow = ${parsed.callsPerWorkflow},
      priorities = case when ${parsed.priorities}::smallint[] is null then priorities else array(
        select distinct unnest(coalesce(priorities, '{}') || ${parsed.priorities}::smallint[]) order by 1) end,
      starts_whole = ${parsed.startsWhole},
      updated_at = clock_timestamp(), status = case when timing = 'scheduled' then 'scheduled' else status end
    where id = ${batchId} and status = 'parsing'
    returning timing`.execute(tx);
  const [batch] = rows;
  if (batch === undefined) return false;
  await sql`insert into batch_counters (batch_id, pending) values (${batchId}, ${parsed.uploaded})
    on conflict (batch_id) do update set pending = batch_counters.pending + excluded.pending`.execute(tx);
  // What requests have added was counted with them.
  if (parsed.hasZones || parsed.startsWhole) {
    await sql`select add_batch_waits(${batchId}, 0, ${sql.lit(firstAddedPosition - 1)})`.execute(tx);
  }
  return batch.timing === 'scheduled' || enterRunning(tx, batchId, 'parsing');
}

/** Ends a batch whose file cannot be used, with a message that says why; does nothing if it is no longer parsing. */
export async function failParsing(tx: Db, batchId: string, parseError: string, rejected: number): Promise<void> {
  const { numAffectedRows } = await sql`
    update batches set status = 'parse_failed', parse_error = ${parseError}, records_rejected = ${rejected},
      completed_at = clock_timestamp(), updated_at = clock_timestamp(), open = false
    where id = ${batchId} and status = 'parsing'`.execute(tx);
  if (numAffectedRows === 0n) return;
  // Recipients that were added meanwhile end with their batch.
  await sql`
    update calls set status = 'cancelled', reason = 'batch_cancelled', next_attempt_at = null,
      ended_at = clock_timestamp(), updated_at = clock_timestamp()
    where batch_id = ${batchId} and not settled`.execute(tx);
  await announceBatch(tx, batchId, 'batchcall-completed');
}

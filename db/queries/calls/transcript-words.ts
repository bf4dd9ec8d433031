import { sql, type RawBuilder } from 'kysely';
import { z } from 'zod';
import { searchable } from '../../../domain/knowledge/passage-text.js';
import type { Db } from '../../client.js';
import { isAboutItsData } from '../../data-fault.js';
import { inHalves } from '../../in-halves.js';
import { endOfMillisecond, instantOf, microsecondsOf } from '../rows.js';
import type { CallFilter } from './filter.js';

/** Calls read by one transaction: an hour of talk is some 60,000 characters. */
const readAtOnce = 50;
/** What is said later in a call, after some three hours, is not found. */
const longestText = 150_000;
/**
 * The same in bytes, because some characters become many as they are written out. PostgreSQL refuses a vector of more than a megabyte, and
 * notes up to as much about a short word as it is long.
 */
const mostBytes = 400_000;

const Lines = z.array(z.looseObject({ text: z.string() }).catch({ text: '' })).catch([]);

/** A character that is cut in two becomes one that is in no word. */
const firstBytes = (text: string): string => Buffer.from(text).subarray(0, mostBytes).toString();

/** Words with a space between them: PostgreSQL would take addresses, numbers with a point and words around a ’ for one word each. */
const wordsOf = (transcript: unknown): string =>
  firstBytes(
    searchable(
      Lines.parse(transcript)
        .map(({ text }) => text)
        .join('\n')
        .slice(0, longestText),
    ),
  ).replace(/[^\p{L}\p{M}\p{N}]+/gu, ' ');

/** The same for what is looked for, but for quotation marks, and the - before a word. */
const questionOf = (text: string): string =>
  searchable(text)
    .replace(/[^\p{L}\p{M}\p{N}\s"-]+/gu, ' ')
    .replace(/(?<=[\p{L}\p{M}\p{N}-])-/gu, ' ');

const secondsOfDay = 86_400;
const keyOfDay = (accountId: string, day: number): string => `=${accountId}/${day}`;
const keyOfBatch = (batchId: string): string => `=${batchId}`;

/**
 * Reads transcripts that are noted as unread (db/migrations/0155), the newest first, so that calls are found by their words. Any number of
 * processes may do so at the same time. One that PostgreSQL refuses holds up no other: it is not found by its words until it changes.
 *
 * @param refused told of each of those
 * @returns whether more may be left
 */
export async function readTranscripts(
  db: Db,
  refused: (callId: string, error: unknown) => void = () => undefined,
): Promise<boolean> {
  const taken: string[] = [];
  try {
    await read(db, readAtOnce, taken);
  } catch (error) {
    if (!isAboutItsData(error)) throw error;
    const readSome = (ids: readonly string[]) => read(db, ids);
    await inHalves(taken, readSome, async (id, fault) => {
      await sql`delete from unread_transcripts where call_id = ${id}::uuid`.execute(db);
      refused(id, fault);
    });
  }
  return taken.length === readAtOnce;
}

/**
 * @param which so many, the newest of all, or these
 * @param taken is given their ids, before they are read
 */
const read = (db: Db, which: number | readonly string[], taken: string[] = []): Promise<void> =>
  db.transaction().execute(async (tx) => {
    const { rows: noted } = await sql<{ id: string }>`
      delete from unread_transcripts where call_id in (
        select call_id from unread_transcripts
        ${typeof which === 'number' ? sql`order by call_id desc limit ${which}` : sql`where call_id = any (${which}::uuid[])`}
        for update skip locked)
      returning call_id as id`.execute(tx);
    const ids = noted.map(({ id }) => id);
    taken.push(...ids);
    if (ids.length === 0) return;
    // No lock: whoever changes one of these transcripts waits for the note, and has it read again.
    const { rows: calls } = await sql<{ id: string; transcript: unknown }>`
      select id, transcript from calls where id = any (${ids}::uuid[]) and settled and transcript is not null
        and erased_at is null and purged_at is null`.execute(tx);
    await sql`
      delete from transcript_words where call_id = any (${ids}::uuid[])
        and call_id <> all (${calls.map(({ id }) => id)}::uuid[])`.execute(tx);
    await sql`
      insert into transcript_words as w (call_id, account_id, created_at, words)
      select c.id, c.account_id, c.created_at, to_tsvector('simple', z.text) || array_to_tsvector(array_remove(array[
        '=' || c.account_id || '/' || floor(extract(epoch from c.created_at) / ${secondsOfDay}::integer)::integer,
        '=' || c.batch_id], null))
      from unnest(${calls.map(({ id }) => id)}::uuid[], ${calls.map(({ transcript }) => wordsOf(transcript))}::text[]) as z (id, text)
      join calls c on c.id = z.id
      on conflict (call_id) do update set words = excluded.words`.execute(tx);
  });

/** A call, with the microsecond of its creation. */
interface FoundCall {
  readonly id: string;
  readonly at: string;
}

/** The newest calls in which something was said. */
export interface CallsThatSaid {
  /** Newest first. */
  readonly ids: readonly string[];
  /** The oldest of them, if older ones were not looked for; null: these are all. */
  readonly end: FoundCall | null;
}

/** Words that are looked for: at least one letter or digit, of any script. */
export const hasWord = (text: string): boolean => /[\p{L}\p{N}]/u.test(text);

type Asked = Pick<CallFilter, 'batchId' | 'createdFrom' | 'createdUntil'>;

/** Most days that one statement looks in. */
const mostDays = 32;
/** Most calls that are found at once. */
const mostFound = 2_000;

/**
 * At most `mostFound` of the account's calls that are over and in which these words were said, the newest: all the words, in any order;
 * in quotation marks one after the other; `or` between alternatives, `-` before what was not said.
 *
 * It goes back by days, by twice as many each time: of a word that is said in every call it reads some days, and of one that is seldom
 * said it asks an index a few times for each year.
 *
 * @param after calls that come after this one in the list
 */
export async function callsThatSaid(
  tx: Db,
  accountId: string,
  text: string,
  asked: Asked,
  after: FoundCall | undefined,
): Promise<CallsThatSaid> {
  const words = sql`websearch_to_tsquery('simple', ${questionOf(text)})`;
  const { rows: known } = await sql<{ first: number | null; last: number | null; nodes: number }>`
    select numnode(${words}) as nodes,
      floor(extract(epoch from greatest(min(created_at), ${asked.createdFrom ?? null}::timestamptz)) / ${secondsOfDay}::integer)::integer as first,
      floor(extract(epoch from least(max(created_at), ${asked.createdUntil ?? null}::timestamptz,
        ${after === undefined || asked.batchId !== undefined ? sql`null` : instantOf(after.at)}::timestamptz)) / ${secondsOfDay}::integer)::integer as last
    from transcript_words where account_id = ${accountId}`.execute(tx);
  const { first = null, last = null, nodes = 0 } = known[0] ?? {};
  if (first === null || last === null || nodes === 0) return { ids: [], end: null };

  const found: FoundCall[] = [];
  const look = async (keys: readonly string[]): Promise<void> => {
    const among = keys.map((key) => `'${key.replaceAll(/['\\]/g, '')}'`).join(' | ');
    found.push(
      ...(await newestWith(
        tx,
        accountId,
        sql`(${among}::tsquery && ${words})`,
        asked,
        after,
        mostFound + 1 - found.length,
      )),
    );
  };
  // The planner knows nothing of the keys: it would take days for most of all calls, and read every vector.
  await sql`set local enable_seqscan = off`.execute(tx);
  if (asked.batchId !== undefined) await look([keyOfBatch(asked.batchId)]);
  else {
    for (let day = last, days = 1; day >= first && found.length <= mostFound; days = Math.min(2 * days, mostDays)) {
      const count = Math.min(days, day - first + 1);
      const newest = day;
      await look(Array.from({ length: count }, (_, back) => keyOfDay(accountId, newest - back)));
      day -= count;
    }
  }
  await sql`set local enable_seqscan = on`.execute(tx);
  const shown = found.slice(0, mostFound);
  return { ids: shown.map(({ id }) => id), end: found.length > mostFound ? (shown.at(-1) ?? null) : null };
}

async function newestWith(
  tx: Db,
  accountId: string,
  query: RawBuilder<unknown>,
  { batchId, createdFrom, createdUntil }: Asked,
  after: FoundCall | undefined,
  most: number,
): Promise<FoundCall[]> {
  const conditions = [sql`account_id = ${accountId}`];
  if (createdFrom !== undefined) conditions.push(sql`created_at >= ${createdFrom}`);
  if (createdUntil !== undefined) conditions.push(sql`created_at <= ${endOfMillisecond(createdUntil)}`);
  // The calls of a batch are of one instant, and their ids ascend with their places.
  if (after !== undefined && batchId !== undefined) conditions.push(sql`call_id < ${after.id}::uuid`);
  else if (after !== undefined)
    conditions.push(sql`(created_at, call_id) < (${instantOf(after.at)}, ${after.id}::uuid)`);
  const order = batchId === undefined ? sql`created_at desc, call_id desc` : sql`call_id desc`;
  const { rows } = await sql<FoundCall>`
    with said as materialized (select account_id, created_at, call_id from transcript_words where words @@ ${query})
    select call_id as id, ${microsecondsOf(sql`created_at`)} as at from said
    where ${sql.join(conditions, sql` and `)} order by ${order} limit ${most}`.execute(tx);
  return rows;
}

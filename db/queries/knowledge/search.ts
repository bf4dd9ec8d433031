import { sql } from 'kysely';
import { searchable } from '../../../domain/knowledge/passage-text.js';
import type { Db } from '../../client.js';

export interface FoundPassage {
  readonly knowledgeBaseId: string;
  readonly text: string;
  /** How well it fits, above 0 and below 1; comparable within one answer. */
  readonly score: number;
  /** Place in its document, from 0. */
  readonly position: number;
}

/**
 * The passages of the account's knowledge bases that answer a question best, in the search configuration of each one's
 * language. Words in quotation marks must follow each other, `or` stands between alternatives, `-` excludes. Where no
 * passage has all the words, those with any of them are found.
 *
 * @param ids knowledge bases to look in; what is unknown or not ready holds nothing
 * @param limit most passages, 1 or more
 */
export async function searchKnowledgeBases(
  db: Db,
  accountId: string,
  ids: readonly string[],
  query: string,
  limit: number,
): Promise<FoundPassage[]> {
  const words = searchable(query);
  const withAll = await bestPassages(db, accountId, ids, sql`websearch_to_tsquery(b.config, ${words})`, limit);
  if (withAll.length > 0) return withAll;
  // Only between lexemes has an & spaces around it.
  const any = sql`replace(plainto_tsquery(b.config, ${words})::text, ' & ', ' | ')::tsquery`;
  return bestPassages(db, accountId, ids, any, limit);
}

async function bestPassages(
  db: Db,
  accountId: string,
  ids: readonly string[],
  question: ReturnType<typeof sql>,
  limit: number,
): Promise<FoundPassage[]> {
  const { rows } = await sql<FoundPassage>`
    select p.knowledge_base_id as "knowledgeBaseId", p.text, p.position,
      -- 32: divided by itself plus one, so that it stays below 1
      ts_rank_cd(p.search, q.question, 32)::double precision as score
    from (
      select id, search_config::regconfig as config from knowledge_bases
      where account_id = ${accountId} and id = any (${[...ids]}::text[]) and status = 'ready'
    ) b
    cross join lateral (select ${question} as question) q
    join knowledge_base_passages p on p.knowledge_base_id = b.id and p.account_id = ${accountId} and p.search @@ q.question
    order by score desc, p.knowledge_base_id, p.position
    limit ${limit}`.execute(db);
  return rows;
}

import { knownReferences, lockReferences, type ReferenceField } from '../../db/queries/agents/references.js';
import type { Db } from '../../db/client.js';
import type { AgentConfig } from '../../domain/agent-config/schema.js';
import type { Problem } from '../../domain/errors.js';
import { invalidRequest, valueAt } from '../validation.js';

const problemOf = {
  tools: { code: 'UNKNOWN_TOOL', words: 'is not a tool of this account' },
  knowledgeBaseIds: { code: 'UNKNOWN_KNOWLEDGE_BASE', words: 'is not a knowledge base of this account' },
} as const satisfies Record<ReferenceField, unknown>;

const fields = ['knowledgeBaseIds', 'tools'] as const satisfies readonly ReferenceField[];

/** The ids in a field of a config, whatever else the client may have put there. */
function idsIn(config: unknown, field: ReferenceField): string[] {
  const ids = valueAt(config, [field]);
  return Array.isArray(ids) ? ids.filter((id) => typeof id === 'string') : [];
}

/** Which of the tools and knowledge bases that a config names are the account's: one query for each kind. */
export async function knownInConfig(
  db: Db,
  accountId: string,
  config: unknown,
): Promise<{ readonly knownTools: ReadonlySet<string>; readonly knownKnowledgeBases: ReadonlySet<string> }> {
  const [knownTools, knownKnowledgeBases] = await Promise.all([
    knownReferences(db, accountId, 'tools', idsIn(config, 'tools')),
    knownReferences(db, accountId, 'knowledgeBaseIds', idsIn(config, 'knowledgeBaseIds')),
  ]);
  return { knownTools, knownKnowledgeBases };
}

/**
 * Keeps what a config names from being deleted while a version with it is stored.
 *
 * @throws Failure `invalid` if something was deleted after the config had been found valid
 */
export async function lockNamedInConfig(tx: Db, accountId: string, config: AgentConfig): Promise<void> {
  const problems: Problem[] = [];
  for (const field of fields) {
    const ids = idsIn(config, field);
    const known = await lockReferences(tx, accountId, field, ids);
    const { code, words } = problemOf[field];
    ids.forEach((id, index) => {
      const path = `${field}[${index}]`;
      if (!known.has(id)) problems.push({ path, code, message: `${path} ${words}` });
    });
  }
  if (problems.length > 0) throw invalidRequest(problems);
}

import { v7 as uuidv7 } from 'uuid';
import type { Db } from '../../db/client.js';
import { insertKnowledgeBase } from '../../db/queries/knowledge/knowledge-bases.js';
import { addToOutbox } from '../../db/queries/outbox.js';
import { formatId } from '../../domain/ids.js';
import { recordAudit } from '../audit.js';
import { withIdempotency } from '../idempotency.js';
import { operation } from '../operation.js';
import { requireRoomForDocument } from '../quotas.js';
import { requireFolderOf } from './folder.js';
import { readCreateBody } from './read-body.js';
import { CreateKnowledgeBase, CreateKnowledgeBaseForm, KnowledgeBase, knowledgeBaseBody } from './schema.js';

/**
 * POST /v1/knowledge-bases
 *
 * One transaction stores it with its document and the order to read it; Temporal is not needed for the answer.
 */
export const createKnowledgeBase = operation({
  name: 'knowledgeBases.create',
  method: 'POST',
  url: '/v1/knowledge-bases',
  family: 'agents',
  tag: 'Knowledge bases',
  idempotent: true,
  schema: {
    summary: 'Create a knowledge base',
    description:
      'Takes a `text` or a `url` as JSON, or a `file` as multipart/form-data, and answers at once, at status ' +
      '`processing`. Follow it with GET: it becomes `ready`, or `failed` with a reason; delete a failed one and ' +
      'create it again.\n\n' +
      'Files are .txt, .md, .html, .pdf or .docx (else 415) of at most 10 MB (else 413). A URL is fetched once: ' +
      'https, not from private networks, up to five redirects, the same kinds and size. A scanned document without ' +
      'text fails.',
    documentedBody: { contentType: 'application/json', schema: CreateKnowledgeBase, form: CreateKnowledgeBaseForm },
    response: { 201: KnowledgeBase },
  },

  async handler(request, deps) {
    const { caller, raw } = request;
    const { accountId } = caller;
    const { name, folderId, source, url, filename, document, content } = await readCreateBody(raw, deps);
    const create = async (tx: Db) => {
      if (folderId !== null) await requireFolderOf(tx, accountId, folderId);
      await requireRoomForDocument(tx, accountId, document?.bytes.length ?? 0, deps.env);
      const knowledgeBaseId = formatId('knowledgeBase', uuidv7());
      const values = { id: knowledgeBaseId, account_id: accountId, name, folder_id: folderId, source, url, filename };
      const row = await insertKnowledgeBase(tx, values, document);
      await addToOutbox(tx, { kind: 'start', name: 'ingestKnowledgeBase', input: { accountId, knowledgeBaseId } });
      await recordAudit(tx, caller, 'knowledge-base.create', knowledgeBaseId, { name, source });
      return { status: 201 as const, body: knowledgeBaseBody(row) };
    };
    const answer = await withIdempotency(request, deps, content, create);
    deps.temporal.kick();
    return answer;
  },
});

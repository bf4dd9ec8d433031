import { randomUUID } from 'node:crypto';
import { beginReading, failReading, finishReading } from '../../../db/queries/knowledge/ingest.js';
import { detectLanguage } from '../../../knowledge/detect-language.js';
import { splitPassages } from '../../../knowledge/split-passages.js';
import { api, here, type RequestOptions } from '../support.js';

export interface KnowledgeBaseAnswer {
  readonly knowledgeBaseId: string;
  readonly name: string;
  readonly status: string;
  readonly folderId?: string;
  readonly createdAt: string;
  readonly updatedAt: string;
}

/** A knowledge base of a text, made through the API and not read yet. */
export async function aKnowledgeBase(change: object = {}, options: RequestOptions = {}): Promise<KnowledgeBaseAnswer> {
  const body = { name: 'Returns', text: 'Orders can be returned within thirty days.', ...change };
  const { status, body: answer, text } = await api.post('/v1/knowledge-bases', body, options);
  if (status !== 201) throw new Error(`No knowledge base: ${text}`);
  return answer as KnowledgeBaseAnswer;
}

const refOf = (knowledgeBaseId: string, accountId = here().me.account.id) => ({ accountId, knowledgeBaseId });

/** The worker's part: a text is read. */
export async function becomesReady(knowledgeBaseId: string, accountId?: string): Promise<void> {
  const { db } = here().database;
  const document = await beginReading(db, refOf(knowledgeBaseId, accountId), 'a test');
  if (document === null) throw new Error('There is nothing to read.');
  const text = document.bytes.toString('utf8');
  const passages = [...splitPassages(text)];
  await finishReading(db, refOf(knowledgeBaseId, accountId), { text, language: detectLanguage(text), passages });
}

/** The worker's part, if a document cannot be read. */
export const becomesFailed = (knowledgeBaseId: string, reason: string): Promise<void> =>
  failReading(here().database.db, refOf(knowledgeBaseId), reason);

/** A knowledge base of a text that has been read. */
export async function aReadyKnowledgeBase(text: string): Promise<string> {
  const { knowledgeBaseId } = await aKnowledgeBase({ text });
  await becomesReady(knowledgeBaseId);
  return knowledgeBaseId;
}

export interface Part {
  readonly name: string;
  readonly value: string | Buffer;
  readonly filename?: string;
}

/** POST /v1/knowledge-bases as a form of these parts, with a boundary of its own. */
export function sendForm(parts: readonly Part[], options: RequestOptions = {}) {
  const boundary = `----test-${randomUUID()}`;
  const pieces = parts.flatMap(({ name, value, filename }) => [
    Buffer.from(
      `--${boundary}\r\nContent-Disposition: form-data; name="${name}"` +
        `${filename === undefined ? '' : `; filename="${filename}"`}\r\n\r\n`,
    ),
    Buffer.from(value),
    Buffer.from('\r\n'),
  ]);
  const headers = { 'content-type': `multipart/form-data; boundary=${boundary}`, ...options.headers };
  const body = Buffer.concat([...pieces, Buffer.from(`--${boundary}--\r\n`)]);
  return api.post('/v1/knowledge-bases', body, { ...options, headers });
}

export const file = (value: string | Buffer, filename = 'returns.txt'): Part => ({ name: 'file', value, filename });

/** The problems of a 400, as `path CODE`. */
export const problemsIn = (body: unknown): string[] =>
  (body as { errors: { path: string; code: string }[] }).errors.map(({ path, code }) => `${path} ${code}`);

import type { FastifyRequest } from 'fastify';
import type { StoredDocument } from '../../db/queries/knowledge/knowledge-bases.js';
import { Failure, type Problem } from '../../domain/errors.js';
import { documentExtensions, kindOfName, mostDocumentBytes } from '../../domain/knowledge/document.js';
import { outboundUrlProblem } from '../../platform/outbound-url.js';
import { readFormParts, type FormParts } from '../batch-calls/form-parts.js';
import type { AppDeps } from '../operation.js';
import { invalidRequest, parseWith, readJson } from '../validation.js';
import { CreateKnowledgeBase } from './schema.js';

/** A create request without fault in itself. */
export interface NewKnowledgeBase {
  readonly name: string;
  readonly folderId: string | null;
  readonly source: 'text' | 'url' | 'file';
  readonly url: string | null;
  readonly filename: string | null;
  /** null: it is still to be fetched */
  readonly document: StoredDocument | null;
  /** What makes two requests the same; multipart boundaries differ from one try to the next. */
  readonly content: unknown;
}

const formFields = new Set(['name', 'folderId']);
const unstorable = /\0|\p{Surrogate}/u;

function formProblems({ texts, repeated, filename }: FormParts): Problem[] {
  const problems: Problem[] = repeated.map((path) => ({
    path,
    code: 'INVALID_VALUE',
    message: 'is sent more than once',
  }));
  const wrong = (path: string, code: string, message: string) => problems.push({ path, code, message });
  for (const [field, text] of texts) {
    if (field === 'file') wrong('file', 'INVALID_TYPE', 'must be sent as a file, with a filename');
    else if (!formFields.has(field)) wrong(field, 'UNRECOGNIZED_KEY', 'is not a known field');
    else if (unstorable.test(text)) wrong(field, 'INVALID_VALUE', 'must not contain NUL or broken characters');
    else if (text.length > 256) wrong(field, 'TOO_LONG', 'must have at most 256 characters');
  }
  if (filename === null && !texts.has('file')) wrong('file', 'REQUIRED', 'is required');
  if (filename !== null && (unstorable.test(filename) || filename.length > 256)) {
    wrong('file', 'INVALID_VALUE', 'must have a filename of at most 256 characters, without broken ones');
  }
  return problems;
}

/** An empty part counts as omitted. */
const filled = (text: string | undefined): string | undefined => (text === '' ? undefined : text);

async function readForm({ raw, uploadPlace: place }: FastifyRequest): Promise<NewKnowledgeBase> {
  const parts = await readFormParts(raw, { mostBytes: mostDocumentBytes, place });
  const problems = formProblems(parts);
  if (problems.length > 0) throw invalidRequest(problems);
  const { texts, bytes, sha256 } = parts;
  const filename = parts.filename ?? '';
  const kind = kindOfName(filename);
  if (kind === null) {
    throw new Failure('unsupported_media_type', `The file must be ${documentExtensions}; its name tells which`);
  }
  if (bytes.length === 0) throw invalidRequest([{ path: 'file', code: 'INVALID_VALUE', message: 'is empty' }]);
  const name = filled(texts.get('name')) ?? filename;
  const folderId = filled(texts.get('folderId')) ?? null;
  const content = [name, folderId, filename, sha256];
  return { name, folderId, source: 'file', url: null, filename, document: { kind, bytes }, content };
}

function readText({ body }: FastifyRequest, { env }: AppDeps): NewKnowledgeBase {
  const json = readJson(body);
  const parsed = 'value' in json ? parseWith(CreateKnowledgeBase, json.value) : json;
  if ('problems' in parsed) throw invalidRequest(parsed.problems);
  const { name, text, url, folderId = null } = parsed.value;
  const common = { name, folderId, filename: null, content: parsed.value };
  if (text !== undefined && url === undefined) {
    return { ...common, source: 'text', url: null, document: { kind: 'text', bytes: Buffer.from(text) } };
  }
  if (url === undefined || text !== undefined) {
    const message = 'is required, or url: one of them, or a file as multipart/form-data';
    throw invalidRequest([{ path: 'text', code: text === undefined ? 'REQUIRED' : 'INVALID_VALUE', message }]);
  }
  const refused = outboundUrlProblem(url, {
    allowInsecure: env.OUTDIAL_ALLOW_INSECURE_WEBHOOKS,
    allowPrivate: env.OUTDIAL_ALLOW_PRIVATE_WEBHOOKS,
  });
  if (refused !== null) throw invalidRequest([{ path: 'url', code: 'INVALID_URL', message: refused }]);
  return { ...common, source: 'url', url, document: null };
}

/**
 * Reads what a knowledge base is to be made from, JSON or a form.
 *
 * @throws Failure `invalid` with what is wrong, `too_large`, or `unsupported_media_type` for a file of another kind
 */
export async function readCreateBody(request: FastifyRequest, deps: AppDeps): Promise<NewKnowledgeBase> {
  const isForm = request.headers['content-type']?.trim().toLowerCase().startsWith('multipart/form-data') === true;
  return isForm ? readForm(request) : readText(request, deps);
}

import { z } from 'zod';
import type { KnowledgeBaseRow } from '../../db/queries/knowledge/knowledge-bases.js';
import { conflict, notFound } from '../../domain/errors.js';
import { mostTextCharacters } from '../../domain/knowledge/document.js';
import { instant, text } from '../fields.js';
import { readOnly } from '../read-only.js';

const sources = ['text', 'url', 'file'] as const;
const statuses = ['processing', 'ready', 'failed'] as const;

const example = {
  knowledgeBaseId: 'kb_01939a84-2c6d-7e10-8f3b-1a2b3c4d5e6f',
  name: 'Returns policy',
  folderId: 'kbf_01939a80-1f2e-7d5b-8c44-90ab12cd34ef',
};

const name = () => text(256).describe('For people; need not be unique');
const folderId = () => z.string().describe('Folder that it is in; omitted if it is in none');

/** JSON body of create: a text or a URL. */
export const CreateKnowledgeBase = z
  .strictObject({
    name: name(),
    text: text(mostTextCharacters).optional().describe('The text itself; longer ones are sent as a file'),
    url: text(2048).optional().describe('Page or document to fetch: https, not in a private network'),
    folderId: folderId().optional(),
  })
  .meta({
    id: 'CreateKnowledgeBase',
    examples: [{ name: 'Returns policy', text: 'Orders can be returned within 30 days of delivery.' }],
  });

/** The form of create, as the reference shows it. */
export const CreateKnowledgeBaseForm = z
  .strictObject({
    file: z.string().meta({ format: 'binary' }).describe('.txt, .md, .html, .pdf or .docx of at most 10 MB'),
    name: text(256).optional().describe('For people; if omitted: the name of the file'),
    folderId: folderId().optional(),
  })
  .meta({ id: 'CreateKnowledgeBaseForm', examples: [{ file: '(the bytes of returns.pdf)', name: 'Returns policy' }] });

export const UpdateKnowledgeBase = z
  .strictObject({
    name: name().optional(),
    folderId: z.string().nullish().describe('Moves it; null: out of every folder'),
    knowledgeBaseId: readOnly(),
    source: readOnly(),
    url: readOnly(),
    file: readOnly(),
    status: readOnly(),
    reason: readOnly(),
    language: readOnly(),
    characters: readOnly(),
    passages: readOnly(),
    createdAt: readOnly(),
    updatedAt: readOnly(),
  })
  .meta({ id: 'UpdateKnowledgeBase', examples: [{ name: 'Returns and refunds' }] });

/** Fields of a knowledge base that a PATCH cannot change. */
export const readOnlyFields = [
  'knowledgeBaseId',
  'source',
  'url',
  'file',
  'status',
  'reason',
  'language',
  'characters',
  'passages',
  'createdAt',
  'updatedAt',
] as const;

export const KnowledgeBase = z
  .strictObject({
    knowledgeBaseId: z.string().describe('`kb_…`'),
    name: z.string().describe('For people'),
    folderId: z.string().optional().describe('Folder that it is in; omitted if it is in none'),
    source: z.enum(sources).describe('What it was made from'),
    url: z.string().optional().describe('Where it was fetched from, of source `url`'),
    file: z
      .strictObject({ filename: z.string().describe('As it was uploaded'), size: z.int().describe('Bytes') })
      .optional()
      .describe('What was uploaded, of source `file`'),
    status: z
      .enum(statuses)
      .describe('`processing` until it has been read; agents find what is in it when it is `ready`'),
    reason: z.string().optional().describe('Why it failed, and what to do about it'),
    language: z.string().optional().describe('ISO 639-1; omitted if it is not known'),
    characters: z.int().optional().describe('Length of the text that was found, when ready'),
    passages: z.int().optional().describe('Pieces that a query can find, when ready'),
    createdAt: instant().describe('When it was created'),
    updatedAt: instant().describe('When it was last changed, or its status was'),
  })
  .meta({
    id: 'KnowledgeBase',
    examples: [
      {
        ...example,
        source: 'file',
        file: { filename: 'returns.pdf', size: 48_213 },
        status: 'ready',
        language: 'en',
        characters: 5_120,
        passages: 7,
        createdAt: '2026-11-21T09:30:00.000Z',
        updatedAt: '2026-11-21T09:30:02.000Z',
      },
    ],
  });

export const KnowledgeBaseParams = z.strictObject({ knowledgeBaseId: z.string().describe('`kb_…`') });

// Columns whose values the database itself limits to these, read as such.
const Stored = z.object({ source: z.enum(sources), status: z.enum(statuses) });

/** A knowledge base, as every operation answers it. */
export function knowledgeBaseBody(row: KnowledgeBaseRow): z.output<typeof KnowledgeBase> {
  const { source, status } = Stored.parse(row);
  return {
    knowledgeBaseId: row.id,
    name: row.name,
    ...(row.folder_id === null ? {} : { folderId: row.folder_id }),
    source,
    ...(row.url === null ? {} : { url: row.url }),
    ...(row.filename === null ? {} : { file: { filename: row.filename, size: row.byte_size ?? 0 } }),
    status,
    ...(row.reason === null ? {} : { reason: row.reason }),
    ...(row.language === null ? {} : { language: row.language }),
    ...(row.characters === null ? {} : { characters: row.characters }),
    ...(row.passages === null ? {} : { passages: row.passages }),
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  };
}

/** @throws Failure `not_found` if the account has no such knowledge base */
export function requireKnowledgeBase(row: KnowledgeBaseRow | null): KnowledgeBaseRow {
  if (row === null) throw notFound('Knowledge base not found');
  return row;
}

/** @throws Failure `conflict` if it has not been read, with the reason if it never will be */
export function requireReady({ status, reason }: KnowledgeBaseRow): void {
  if (status === 'processing') throw conflict('The knowledge base is still being processed');
  if (status === 'failed') throw conflict(`The knowledge base could not be processed: ${reason ?? ''}`);
}

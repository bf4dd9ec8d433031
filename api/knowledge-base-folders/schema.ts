import { z } from 'zod';
import type { FolderRow } from '../../db/queries/knowledge/folders.js';
import { conflict, notFound } from '../../domain/errors.js';
import { instant, text } from '../fields.js';
import { readOnly } from '../read-only.js';

const folderId = 'kbf_01939a80-1f2e-7d5b-8c44-90ab12cd34ef';
const parentId = 'kbf_01939a7f-0b11-7a3c-b2d8-5566778899aa';

const name = () => text(256).describe('Unique among the folders beside it');

export const CreateFolder = z
  .strictObject({
    name: name(),
    parentId: z.string().optional().describe('Folder that it is in; if omitted, at the top'),
  })
  .meta({ id: 'CreateKnowledgeBaseFolder', examples: [{ name: 'Returns', parentId }] });

export const UpdateFolder = z
  .strictObject({
    name: name().optional(),
    parentId: z.string().nullish().describe('Moves it, with all that is in it; null: to the top'),
    folderId: readOnly(),
    createdAt: readOnly(),
    updatedAt: readOnly(),
  })
  .meta({ id: 'UpdateKnowledgeBaseFolder', examples: [{ name: 'Returns and refunds' }] });

export const Folder = z
  .strictObject({
    folderId: z.string().describe('`kbf_…`'),
    name: z.string().describe('Unique among the folders beside it'),
    parentId: z.string().optional().describe('Folder that it is in; omitted at the top'),
    createdAt: instant().describe('When it was created'),
    updatedAt: instant().describe('When it was last changed'),
  })
  .meta({
    id: 'KnowledgeBaseFolder',
    examples: [
      {
        folderId,
        name: 'Returns',
        parentId,
        createdAt: '2026-11-21T09:30:00.000Z',
        updatedAt: '2026-11-21T09:30:00.000Z',
      },
    ],
  });

export const FolderParams = z.strictObject({ folderId: z.string().describe('`kbf_…`') });

/** A folder, as every operation answers it. */
export const folderBody = (folder: FolderRow): z.output<typeof Folder> => ({
  folderId: folder.id,
  name: folder.name,
  ...(folder.parent_id === null ? {} : { parentId: folder.parent_id }),
  createdAt: folder.created_at.toISOString(),
  updatedAt: folder.updated_at.toISOString(),
});

/** @throws Failure `not_found` if the account has no such folder */
export function requireFolder(folder: FolderRow | null): FolderRow {
  if (folder === null) throw notFound('Folder not found');
  return folder;
}

export const folderNameTaken = (taken: string) => conflict(`There is a folder called ${taken} in this place already`);

import { api, type RequestOptions } from '../support.js';

export interface FolderAnswer {
  readonly folderId: string;
  readonly name: string;
  readonly parentId?: string;
  readonly createdAt: string;
  readonly updatedAt: string;
}

let made = 0;

/** A folder made through the API, under a name that no other test of the file has. */
export async function aFolder(change: object = {}, options: RequestOptions = {}): Promise<FolderAnswer> {
  const body = { name: `Folder ${(made += 1)}`, ...change };
  const { status, body: answer, text } = await api.post('/v1/knowledge-base-folders', body, options);
  if (status !== 201) throw new Error(`No folder: ${text}`);
  return answer as FolderAnswer;
}

/** Folders one inside the other, the outermost first. */
export async function nestedFolders(levels: number): Promise<FolderAnswer[]> {
  const folders: FolderAnswer[] = [];
  for (let level = 0; level < levels; level += 1) {
    const parentId = folders.at(-1)?.folderId;
    folders.push(await aFolder(parentId === undefined ? {} : { parentId }));
  }
  return folders;
}

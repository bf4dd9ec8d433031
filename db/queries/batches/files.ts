import type { Db } from '../../client.js';

interface StoredFile {
  /** `file.key` of the API. */
  readonly key: string;
  readonly accountId: string;
  readonly batchId: string;
  /** As the client named it, without folders. */
  readonly filename: string;
  /** `json`: recipients of a body in place of a file. */
  readonly extension: 'csv' | 'xls' | 'xlsx' | 'json';
  /** Hexadecimal. */
  readonly sha256: string;
  readonly bytes: Buffer;
}

/** The store of uploads; each is kept until its batch is deleted. */
export interface FileStore {
  put(file: StoredFile): Promise<void>;
  /** The upload of a batch, or null if it has none. */
  get(accountId: string, batchId: string): Promise<StoredFile | null>;
}

/** Uploads as rows of Postgres: a batch and its file are committed together, and leave together. */
export const postgresFiles = (db: Db): FileStore => ({
  async put({ key, accountId, batchId, filename, extension, sha256, bytes }) {
    await db
      .insertInto('batch_files')
      .values({
        key,
        account_id: accountId,
        batch_id: batchId,
        filename,
        extension,
        sha256,
        byte_size: bytes.length,
        bytes,
      })
      .execute();
  },

  async get(accountId, batchId) {
    const row = await db
      .selectFrom('batch_files')
      .select(['key', 'filename', 'extension', 'sha256', 'bytes'])
      .where('account_id', '=', accountId)
      .where('batch_id', '=', batchId)
      .executeTakeFirst();
    if (row === undefined) return null;
    const { extension } = row;
    if (extension !== 'csv' && extension !== 'xls' && extension !== 'xlsx' && extension !== 'json') {
      throw new Error(`The file ${row.key} has the unknown extension ${extension}`);
    }
    return { ...row, extension, accountId, batchId };
  },
});

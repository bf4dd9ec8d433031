import type { Db } from '../client.js';
import type { AccountRow } from './accounts.js';

/** Every account, oldest first: for the operator's command line, the API only knows its caller's. */
export async function listAccounts(db: Db): Promise<AccountRow[]> {
  const rows = await db
    .selectFrom('accounts')
    .select(['id', 'name', 'created_at'])
    .orderBy('created_at')
    .orderBy('id')
    .execute();
  return rows.map((row) => ({ id: row.id, name: row.name, createdAt: row.created_at }));
}

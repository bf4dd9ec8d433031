import type { Db } from '../../client.js';
import type { AccountRow } from './accounts.js';

/** An account as the operator sees it. */
export interface ListedAccount extends AccountRow {
  readonly suspendedAt: Date | null;
  readonly suspendedReason: string | null;
  /** Since when the account itself has stopped all its dialing. */
  readonly dialingStoppedAt: Date | null;
}

/** Every account, oldest first: for the operator's command line, the API only knows its caller's. */
export async function listAccounts(db: Db): Promise<ListedAccount[]> {
  const rows = await db
    .selectFrom('accounts')
    .select(['id', 'name', 'created_at', 'suspended_at', 'suspended_reason', 'dialing_stopped_at'])
    .orderBy('created_at')
    .orderBy('id')
    .execute();
  return rows.map((row) => ({
    id: row.id,
    name: row.name,
    createdAt: row.created_at,
    suspendedAt: row.suspended_at,
    suspendedReason: row.suspended_reason,
    dialingStoppedAt: row.dialing_stopped_at,
  }));
}

/**
 * The account that an operator names, by its id or by its name.
 *
 * @throws Error if no account, or more than one, has that name
 */
export async function accountNamed(db: Db, text: string): Promise<ListedAccount> {
  const accounts = await listAccounts(db);
  const named = accounts.filter(({ id }) => id === text);
  const found = named.length > 0 ? named : accounts.filter(({ name }) => name === text);
  const [account] = found;
  if (account === undefined) throw new Error(`There is no account ${text}. \`outdial account list\` shows them.`);
  if (found.length > 1) {
    throw new Error(
      `There are ${found.length} accounts named ${text}: ${found.map(({ id }) => id).join(', ')}. Give the id.`,
    );
  }
  return account;
}

import { sql } from 'kysely';
import { type AccountDefaults, noDefaults, type UnfilledRule } from '../../../domain/account/defaults.js';
import type { PreDial } from '../../../domain/batch/pre-dial.js';
import type { CallingWindow } from '../../../domain/call/calling-window.js';
import type { Db } from '../../client.js';

/** What an account has set: null if it has set nothing. */
export interface StoredDefaults {
  readonly timezone: string | null;
  readonly country: string | null;
  readonly callingWindow: CallingWindow | null;
  readonly unfilledPlaceholders: UnfilledRule | null;
  readonly preDial: PreDial | null;
}

/** What an account has set, and when; null if it never has. */
export async function findAccountDefaults(
  db: Db,
  accountId: string,
): Promise<(StoredDefaults & { readonly updatedAt: Date }) | null> {
  const { rows } = await sql<StoredDefaults & { updatedAt: Date }>`
    select timezone, country, calling_window as "callingWindow", unfilled_placeholders as "unfilledPlaceholders",
      pre_dial as "preDial", updated_at as "updatedAt"
    from account_defaults where account_id = ${accountId}`.execute(db);
  return rows[0] ?? null;
}

/** The defaults that a new batch of the account takes. */
export async function accountDefaults(db: Db, accountId: string): Promise<AccountDefaults> {
  const stored = await findAccountDefaults(db, accountId);
  if (stored === null) return noDefaults;
  return {
    timezone: stored.timezone ?? noDefaults.timezone,
    country: stored.country,
    callingWindow: stored.callingWindow,
    unfilledPlaceholders: stored.unfilledPlaceholders ?? noDefaults.unfilledPlaceholders,
    preDial: stored.preDial,
  };
}

/** Replaces the defaults of an account. Batches that have been made keep what they took. */
export async function putAccountDefaults(tx: Db, accountId: string, defaults: StoredDefaults): Promise<void> {
  const values = {
    timezone: defaults.timezone,
    country: defaults.country,
    calling_window: defaults.callingWindow === null ? null : JSON.stringify(defaults.callingWindow),
    unfilled_placeholders: defaults.unfilledPlaceholders,
    pre_dial: defaults.preDial === null ? null : JSON.stringify(defaults.preDial),
    updated_at: sql<Date>`clock_timestamp()`,
  };
  await tx
    .insertInto('account_defaults')
    .values({ account_id: accountId, ...values })
    .onConflict((conflict) => conflict.column('account_id').doUpdateSet(values))
    .execute();
}

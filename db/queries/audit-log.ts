import type { Db } from '../client.js';

export interface AuditEntry {
  readonly accountId: string;
  readonly keyId: string;
  /** Network address of whoever asked. */
  readonly address: string;
  /** `<resource>.<verb>`, such as `routing-rule.create` */
  readonly action: string;
  /** Id of what was changed. */
  readonly target: string;
  /** Facts for whoever reads the log; never secrets or a callee's data. */
  readonly details?: object;
}

/** Writes down who did what, in the transaction of the change. */
export async function insertAuditEntry(tx: Db, entry: AuditEntry): Promise<void> {
  await tx
    .insertInto('audit_log')
    .values({
      account_id: entry.accountId,
      key_id: entry.keyId,
      address: entry.address,
      action: entry.action,
      target: entry.target,
      details: JSON.stringify(entry.details ?? {}),
    })
    .execute();
}

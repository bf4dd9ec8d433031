import type { Db } from '../db/client.js';
import { insertAuditEntry } from '../db/queries/accounts/audit-log.js';
import type { AuditedAction } from '../domain/account/audited-resources.js';
import type { Caller } from './operation.js';

/**
 * Writes down who changed what, in the transaction of the change. Every operation that changes state calls it.
 *
 * @param target id of what was changed
 */
export const recordAudit = (
  tx: Db,
  { accountId, keyId, address }: Caller,
  action: AuditedAction,
  target: string,
  details: object = {},
): Promise<void> => insertAuditEntry(tx, { accountId, keyId, address, action, target, details });

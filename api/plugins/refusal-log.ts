import { insertAuditEntry } from '../../db/queries/accounts/audit-log.js';
import type { AppDeps, Operation } from '../operation.js';

/** Within this time, refusals of the same kind of one key from one address are one entry. */
const quietMs = 60_000;
/** Entries about refusals that one account gets in that time, from however many addresses they come. */
const mostEntries = 30;
/** Kinds that are remembered: one more and the oldest is forgotten. */
const mostRemembered = 10_000;

/** A request that was turned away although it names a key of an account. */
export interface RefusedRequest {
  readonly accountId: string;
  readonly keyId: string;
  readonly address: string;
  /** `token.refused`: the token does not count; `token.forbidden`: it does not allow the operation. */
  readonly action: 'token.refused' | 'token.forbidden';
  readonly reason: string;
  readonly operation: Operation;
}

/**
 * Writes refused requests to the audit log of the account whose key they name: few enough that a flood of them fills
 * nothing. What is not written is counted in the next entry of its kind. Counted per process.
 */
export function logRefusals({ database, logger, clock }: AppDeps): (refused: RefusedRequest) => Promise<void> {
  const kinds = new Map<string, { at: number; unwritten: number }>();
  const accounts = new Map<string, { since: number; entries: number }>();

  function remember<Value>(map: Map<string, Value>, key: string, value: Value): void {
    map.delete(key);
    map.set(key, value);
    const [oldest] = map.keys();
    if (map.size > mostRemembered && oldest !== undefined) map.delete(oldest);
  }

  /** How many went unwritten before this one; null if this one is not written either. */
  function unwrittenBefore({ accountId, keyId, address, action }: RefusedRequest, now: number): number | null {
    const kind = [accountId, keyId, address, action].join(' ');
    const last = kinds.get(kind);
    const account = accounts.get(accountId);
    const current = account !== undefined && now - account.since < quietMs ? account : { since: now, entries: 0 };
    if ((last !== undefined && now - last.at < quietMs) || current.entries >= mostEntries) {
      remember(kinds, kind, { at: last?.at ?? 0, unwritten: (last?.unwritten ?? 0) + 1 });
      return null;
    }
    remember(kinds, kind, { at: now, unwritten: 0 });
    remember(accounts, accountId, { since: current.since, entries: current.entries + 1 });
    return last?.unwritten ?? 0;
  }

  return async (refused) => {
    const { accountId, keyId, address, action, reason, operation } = refused;
    const unwritten = unwrittenBefore(refused, clock().getTime());
    if (unwritten === null) return;
    const target = `${operation.method} ${operation.url}`;
    const details = { reason, ...(unwritten === 0 ? {} : { alsoRefusedSince: unwritten }) };
    try {
      await insertAuditEntry(database.db, { accountId, keyId, address, action, target, details });
    } catch (error) {
      logger.warn({ err: error, accountId }, 'a refused request could not be written to the audit log');
    }
  };
}

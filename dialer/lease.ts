import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import type { Db } from '../db/client.js';
import { endLease, renewLease, startLease } from '../db/queries/dialer/lease.js';
import { elapsedMs, now } from './moment.js';

/** The right of this process to hold attempts under one id. A lease that has run out never comes back: see `renew`. */
export interface Lease {
  readonly processId: string;
  /** @returns true while it runs for certain, by this machine's clocks; false as soon as others may have taken what it holds */
  holds(): boolean;
  /** @returns false if it has run out, by the database's clock or this machine's: the process needs another id */
  renew(): Promise<boolean>;
  /** Ends it now: what is left is taken over at once. */
  end(): Promise<void>;
}

/**
 * Takes a lease under a new id.
 *
 * @param isTroubled whether this process runs and does not do its work; told with each renewal
 */
export async function takeLease(db: Db, leaseSeconds: number, isTroubled = (): boolean => false): Promise<Lease> {
  const processId = randomUUID();
  // The database counts from when the statement arrives, which is never before this.
  let renewed = now();
  let lost = false;
  await startLease(db, { id: processId, host: hostname(), pid: process.pid }, leaseSeconds);

  const holds = (): boolean => {
    if (elapsedMs(renewed) >= leaseSeconds * 1000) lost = true;
    return !lost;
  };

  return {
    processId,
    holds,
    async renew() {
      if (!holds()) return false;
      const asked = now();
      const answered = await renewLease(db, processId, leaseSeconds, isTroubled());
      if (!answered) lost = true;
      else if (holds()) renewed = asked;
      return holds();
    },
    end: () => endLease(db, processId),
  };
}

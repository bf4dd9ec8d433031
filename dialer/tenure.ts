import type { DialPipeline } from './dial-pipeline.js';
import type { Lease } from './lease.js';

/** What this process holds undialed under one lease, and so under one id. */
export interface Tenure {
  readonly lease: Lease;
  readonly pipeline: DialPipeline;
}

/**
 * The next tenure of this process, one beat after the last. A tenure runs until its lease has run out, which never comes
 * back: then this process was stopped or cut off from the database, and others may have taken what it held.
 *
 * ```
 * running ── renewed ──▶ running
 *    └── run out ──▶ dropped (nothing undialed is sent any more) ──▶ another tenure, with the legs that no one else took
 * ```
 *
 * An error on the way changes nothing: the next beat finds the lease run out again, and drops what is dropped already.
 *
 * @param begin takes a lease under a new id, with its own pipeline
 * @param adopt brings the legs of this process under the new id
 * @returns the same tenure if its lease was renewed
 */
export async function nextTenure(
  present: Tenure,
  begin: () => Promise<Tenure>,
  adopt: (processId: string) => Promise<void>,
): Promise<Tenure> {
  if (await present.lease.renew()) return present;
  present.pipeline.drop();
  const next = await begin();
  await adopt(next.lease.processId);
  return next;
}

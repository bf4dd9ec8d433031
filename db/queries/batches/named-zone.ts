import { sql } from 'kysely';
import { type CallingWindow, recipientZone } from '../../../domain/call/calling-window.js';
import { canonicalZone } from '../../../domain/call/time-zone.js';
import type { Db } from '../../client.js';
import { guardrailsInForce } from '../accounts/guardrails.js';

/** Metadata that takes the place of what a recipient had. */
export interface NewMetadata {
  readonly json: string;
  readonly names: readonly string[];
  /** The zones of a callee whose metadata names this zone, or none: those of the number. */
  readonly zonesOf: (named: string, phoneNumber: string) => readonly string[];
}

/** The zones that new metadata gives a recipient; `as_before` if it names the same zone, `unknown_zone` if it names none that exists. */
type ZonesNamed = readonly string[] | 'as_before' | 'unknown_zone';

/**
 * What `timezone` in new metadata means for the clock of a recipient, by the rules of a row of a file: a name that is no zone is
 * refused if hours go by the clocks of callees, and is like none otherwise.
 *
 * @param call its row is locked, and still has the metadata from before
 * @param window the batch's, which is locked, too
 */
export async function zonesNamed(
  tx: Db,
  call: { readonly accountId: string; readonly callId: string },
  { json, zonesOf }: NewMetadata,
  window: CallingWindow | null,
): Promise<ZonesNamed> {
  const { rows } = await sql<{ differs: boolean; named: string; phoneNumber: string; hasZones: boolean }>`
    select coalesce(metadata ->> 'timezone', '') <> coalesce(${json}::json ->> 'timezone', '') as differs,
      coalesce(${json}::json ->> 'timezone', '') as named, to_number as "phoneNumber", time_zones is not null as "hasZones"
    from calls where id = ${call.callId}`.execute(tx);
  const [found] = rows;
  if (!found?.differs) return 'as_before';
  const { named, phoneNumber, hasZones } = found;
  const byCallees = window?.timezone === recipientZone;
  const isZone = canonicalZone(named.trim()) !== null;
  if (!isZone && named.trim() !== '') {
    const hoursOfAccount = async () => (await guardrailsInForce(tx, call.accountId)).guardrails.callingHours;
    if (byCallees || (await hoursOfAccount()).length > 0) return 'unknown_zone';
  }
  // If nothing goes by the callees' clocks yet, zones are looked up once the batch gets a window that does.
  return isZone || hasZones || byCallees ? zonesOf(named, phoneNumber) : 'as_before';
}

/** Gives a call its zones. The account's hours held it by its old clock; the dialer looks at them by the new one. */
export async function goBy(tx: Db, callId: string, zones: readonly string[]): Promise<void> {
  await sql`
    update calls set time_zones = ${[...zones]}::text[],
      held_until = case when held_by = 'callback' then held_until end, held_by = case when held_by = 'callback' then held_by end
    where id = ${callId}`.execute(tx);
}

import { sql, type Selectable } from 'kysely';
import type { Db } from '../client.js';
import type { Gateways } from '../types.js';

type GatewayRow = Selectable<Gateways>;
type Direction = 'inbound' | 'outbound';

export interface NewGateway {
  readonly id: string;
  readonly direction: Direction;
  readonly name: string;
  readonly sipRegion: string;
  readonly mediaEncryption: string;
  readonly callsPerSecond: number;
  /** Outbound only. */
  readonly trunk?: {
    readonly address: string;
    readonly transport: string;
    readonly auth: { readonly username: string; readonly passwordSealed: string } | null;
  };
}

/** Inserts gateways; each outbound one gets the state of its admission, without which the dialer never looks at it. */
export async function insertGateways(tx: Db, accountId: string, gateways: readonly NewGateway[]): Promise<void> {
  await tx
    .insertInto('gateways')
    .values(
      gateways.map(({ id, direction, name, sipRegion, mediaEncryption, callsPerSecond, trunk }) => ({
        id,
        account_id: accountId,
        direction,
        name,
        sip_region: sipRegion,
        media_encryption: mediaEncryption,
        calls_per_second: callsPerSecond,
        address: trunk?.address ?? null,
        transport: trunk?.transport ?? null,
        auth_username: trunk?.auth?.username ?? null,
        auth_password_sealed: trunk?.auth?.passwordSealed ?? null,
      })),
    )
    .execute();
  const outbound = gateways.filter(({ direction }) => direction === 'outbound');
  if (outbound.length === 0) return;
  await tx
    .insertInto('gateway_admission')
    .values(outbound.map(({ id }) => ({ gateway_id: id, account_id: accountId })))
    .execute();
}

export interface NumberLink {
  readonly numberId: string;
  readonly e164: string;
  readonly gatewayId: string;
  readonly direction: Direction;
}

/**
 * Attaches gateways to numbers. Postgres refuses a second one per direction, and a second inbound one per E.164 anywhere.
 * Always in the order of the numbers, so that two accounts over the same ones wait for each other and do not deadlock.
 */
export async function attachGateways(tx: Db, accountId: string, links: readonly NumberLink[]): Promise<void> {
  await tx
    .insertInto('number_gateways')
    .values(
      [...links]
        .sort((a, b) => (a.e164 < b.e164 ? -1 : 1))
        .map(({ numberId, e164, gatewayId, direction }) => ({
          account_id: accountId,
          number_id: numberId,
          e164,
          gateway_id: gatewayId,
          direction,
        })),
    )
    .execute();
}

/** Which of these numbers have a gateway on the account already, in order. */
export async function numbersWithGateways(db: Db, accountId: string, e164s: readonly string[]): Promise<string[]> {
  const rows = await db
    .selectFrom('number_gateways')
    .select('e164')
    .distinct()
    .where('account_id', '=', accountId)
    .where('e164', 'in', e164s)
    .orderBy('e164')
    .execute();
  return rows.map(({ e164 }) => e164);
}

/** Which of these numbers another account receives calls on: a carrier's call must find one gateway. */
export async function numbersReceivedElsewhere(db: Db, accountId: string, e164s: readonly string[]): Promise<string[]> {
  const rows = await db
    .selectFrom('number_gateways')
    .select('e164')
    .where('account_id', '<>', accountId)
    .where('direction', '=', 'inbound')
    .where('e164', 'in', e164s)
    .orderBy('e164')
    .execute();
  return rows.map(({ e164 }) => e164);
}

export interface AttachedGateway extends GatewayRow {
  /** Every number that the gateway serves. */
  readonly numbers: readonly string[];
}

/** Gateways of these numbers: number id → direction → gateway. */
export async function gatewaysOfNumbers(
  db: Db,
  accountId: string,
  numberIds: readonly string[],
): Promise<Map<string, Partial<Record<string, AttachedGateway>>>> {
  const found = new Map<string, Partial<Record<string, AttachedGateway>>>();
  if (numberIds.length === 0) return found;
  const links = await db
    .selectFrom('number_gateways')
    .select(['number_id', 'direction', 'gateway_id'])
    .where('account_id', '=', accountId)
    .where('number_id', 'in', numberIds)
    .execute();
  const gateways = await findGateways(
    db,
    accountId,
    links.map((link) => link.gateway_id),
  );
  for (const { number_id: numberId, direction, gateway_id: gatewayId } of links) {
    const gateway = gateways.get(gatewayId);
    if (gateway !== undefined) found.set(numberId, { ...found.get(numberId), [direction]: gateway });
  }
  return found;
}

/** Gateways of the account by id, with their numbers in order. */
async function findGateways(db: Db, accountId: string, ids: readonly string[]): Promise<Map<string, AttachedGateway>> {
  const rows = await db
    .selectFrom('gateways')
    .selectAll()
    .select((select) =>
      select
        .selectFrom('number_gateways')
        .whereRef('number_gateways.gateway_id', '=', 'gateways.id')
        .select(sql<string[]>`coalesce(array_agg(e164 order by e164), '{}')`.as('numbers'))
        .as('numbers'),
    )
    .where('account_id', '=', accountId)
    .where('id', '=', sql<string>`any(${[...new Set(ids)]}::text[])`)
    .execute();
  return new Map(rows.map((row) => [row.id, { ...row, numbers: row.numbers ?? [] }]));
}

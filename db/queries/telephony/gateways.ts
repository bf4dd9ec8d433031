import { sql, type Insertable, type Selectable } from 'kysely';
import type { Db } from '../../client.js';
import type { Gateways } from '../../types.js';
import { containing } from '../search-pattern.js';

type GatewayRow = Selectable<Gateways>;
type Direction = 'inbound' | 'outbound';

/** A gateway's own columns; an omitted one has the database's default. */
export type NewGateway = Omit<Insertable<Gateways>, 'account_id' | 'direction'> & { readonly direction: Direction };

/** Inserts gateways; each outbound one gets the state of its admission, without which the dialer never looks at it. */
export async function insertGateways(tx: Db, accountId: string, gateways: readonly NewGateway[]): Promise<void> {
  await tx
    .insertInto('gateways')
    .values(gateways.map((gateway) => ({ ...gateway, account_id: accountId })))
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
  if (links.length === 0) return;
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

/** Which of these numbers have a gateway on the account already, in order; of this direction, if one is named. */
export async function numbersWithGateways(
  db: Db,
  accountId: string,
  e164s: readonly string[],
  direction?: Direction,
): Promise<string[]> {
  const links = db
    .selectFrom('number_gateways')
    .select('e164')
    .distinct()
    .where('account_id', '=', accountId)
    .where('e164', '=', sql<string>`any(${[...e164s]}::text[])`)
    .orderBy('e164');
  const rows = await (direction === undefined ? links : links.where('direction', '=', direction)).execute();
  return rows.map(({ e164 }) => e164);
}

/** Which of these numbers another account receives calls on: a carrier's call must find one gateway. */
export async function numbersReceivedElsewhere(db: Db, accountId: string, e164s: readonly string[]): Promise<string[]> {
  const rows = await db
    .selectFrom('number_gateways')
    .select('e164')
    .where('account_id', '<>', accountId)
    .where('direction', '=', 'inbound')
    .where('e164', '=', sql<string>`any(${[...e164s]}::text[])`)
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

const withNumbers = (db: Db, accountId: string) =>
  db
    .selectFrom('gateways')
    .selectAll()
    .select(
      sql<string[]>`array(select l.e164 from number_gateways l where l.gateway_id = gateways.id order by l.e164)`.as(
        'numbers',
      ),
    )
    .where('account_id', '=', accountId);

/** Gateways of the account by id, with their numbers in order. */
async function findGateways(db: Db, accountId: string, ids: readonly string[]): Promise<Map<string, AttachedGateway>> {
  const rows = await withNumbers(db, accountId)
    .where('id', '=', sql<string>`any(${[...new Set(ids)]}::text[])`)
    .execute();
  return new Map(rows.map((row) => [row.id, row]));
}

/** A gateway of the account, of this direction if one is named; null if there is none. */
export async function findGateway(
  db: Db,
  accountId: string,
  id: string,
  direction?: Direction,
): Promise<AttachedGateway | null> {
  const row = await withNumbers(db, accountId).where('id', '=', id).executeTakeFirst();
  return row === undefined || (direction !== undefined && row.direction !== direction) ? null : row;
}

export interface GatewayFilter {
  readonly direction: Direction;
  /** Anywhere in the name, the address or a number, whatever its case. */
  readonly search?: string | undefined;
  readonly offset: number;
  readonly limit: number;
}

/** A page of the account's gateways of one direction, newest first. */
export async function listGateways(
  db: Db,
  accountId: string,
  { direction, search, offset, limit }: GatewayFilter,
): Promise<{ total: number; rows: AttachedGateway[] }> {
  const pattern = search === undefined ? null : containing(search);
  const matching = sql<boolean>`direction = ${direction} and (${pattern}::text is null or name ilike ${pattern}
    or address ilike ${pattern} or exists (
      select 1 from number_gateways l where l.gateway_id = gateways.id and l.e164 like ${pattern}))`;
  const { total } = await db
    .selectFrom('gateways')
    .select((select) => select.fn.countAll<string>().as('total'))
    .where('account_id', '=', accountId)
    .where(matching)
    .executeTakeFirstOrThrow();
  const rows = await withNumbers(db, accountId)
    .where(matching)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .offset(offset)
    .limit(limit)
    .execute();
  return { total: Number(total), rows };
}

import type { Db } from '../../db/client.js';
import { findGateway, type AttachedGateway } from '../../db/queries/telephony/gateways.js';
import {
  applyAtOnce,
  detachFromGateway,
  lockGateway,
  lockLinks,
  updateGateway,
} from '../../db/queries/telephony/gateways-change.js';
import { batchFromNumbers, lockNumbersForUpdate } from '../../db/queries/telephony/phone-numbers.js';
import { wakeGateways } from '../../db/queries/dialer/wake-gateways.js';
import { conflict } from '../../domain/errors.js';
import { recordAudit } from '../audit.js';
import { requireGrants } from '../grants.js';
import type { AppDeps, Caller } from '../operation.js';
import { invalidRequest } from '../validation.js';
import { columnsOf, credentialColumns } from './columns.js';
import { wantedGrants } from './grants.js';
import { noSuchGateway } from './missing.js';
import { attachFailure, attachNumbers } from './numbers.js';
import { gatewayBody, type Direction, type Gateway } from './schema.js';
import type { InboundSettings, OutboundSettings } from './create-body.js';
import { settingsAfter, type UpdateGateway } from './update-body.js';

const directionOf = ({ direction }: AttachedGateway): Direction => (direction === 'inbound' ? 'inbound' : 'outbound');

/**
 * The gateway, locked; with its numbers and links if those are to change.
 *
 * @returns it and the ids of its numbers that are locked
 */
async function lock(tx: Db, accountId: string, id: string, direction: Direction | undefined, patch: UpdateGateway) {
  const found = await findGateway(tx, accountId, id, direction);
  if (found === null) throw noSuchGateway(direction);
  const changesNumbers = patch.numbers !== undefined;
  const e164s = changesNumbers ? [...found.numbers, ...(patch.numbers ?? [])] : [];
  const numbers = changesNumbers ? await lockNumbersForUpdate(tx, accountId, e164s) : new Map<string, { id: string }>();
  if (changesNumbers) await lockLinks(tx, accountId, id);
  const current = (await lockGateway(tx, accountId, id)) ? await findGateway(tx, accountId, id, direction) : null;
  if (current === null) throw noSuchGateway(direction);
  return { current, numbers };
}

async function changeNumbers(
  tx: Db,
  accountId: string,
  gateway: AttachedGateway,
  wanted: readonly string[],
  locked: ReadonlyMap<string, { readonly id: string }>,
): Promise<void> {
  const direction = directionOf(gateway);
  const removed = gateway.numbers.filter((e164) => !wanted.includes(e164));
  if (removed.some((e164) => !locked.has(e164))) {
    throw conflict('The numbers of the gateway were changed concurrently. Retry the request.');
  }
  if (direction === 'outbound' && removed.length > 0) {
    const ids = removed.flatMap((e164) => locked.get(e164)?.id ?? []);
    const batch = await batchFromNumbers(tx, accountId, ids);
    if (batch !== null) {
      throw conflict(
        `${batch.id} calls from ${batch.from_number} and is not finished. Cancel it, or wait for its end.`,
      );
    }
  }
  await detachFromGateway(tx, accountId, gateway.id, removed);
  const added = wanted.filter((e164) => !gateway.numbers.includes(e164));
  await attachNumbers(tx, accountId, { id: gateway.id, direction, name: gateway.name }, added);
}

/** The grants that the gateway did not need before: a grant that was taken back does not prevent renaming it. */
function newGrants(current: AttachedGateway, settings: InboundSettings | OutboundSettings) {
  const before = gatewayBody(current);
  const { numbers, address, fromHost, headers } = { fromHost: undefined, headers: undefined, ...settings };
  return wantedGrants({
    numbers: numbers.filter((e164) => !before.numbers.includes(e164)),
    ...(address === before.address || address === undefined ? {} : { address }),
    ...(fromHost === before.fromHost || fromHost === undefined ? {} : { fromHost }),
    headers: Object.fromEntries(
      Object.entries(headers ?? {}).filter(([name, value]) => before.headers[name] !== value),
    ),
  });
}

/**
 * Changes a gateway; what it says from now on holds for every call that has not been dialed.
 *
 * @param direction which one is looked for, or undefined for either
 * @throws Failure `not_found`, `invalid` with everything that is wrong, or `conflict`
 */
export async function changeGateway(
  id: string,
  direction: Direction | undefined,
  patch: UpdateGateway,
  caller: Caller,
  deps: AppDeps,
): Promise<Gateway> {
  const { accountId } = caller;
  const { db } = deps.database;
  const change = async (tx: Db) => {
    const { current, numbers } = await lock(tx, accountId, id, direction, patch);
    const after = settingsAfter(patch, gatewayBody(current), directionOf(current), deps);
    if ('problems' in after) throw invalidRequest(after.problems);
    await requireGrants(tx, accountId, newGrants(current, after.settings));
    const { auth } = patch;
    const password = auth?.password;
    const credentials =
      auth === undefined || (auth !== null && password === undefined)
        ? {}
        : credentialColumns(
            auth === null || password === undefined ? undefined : { ...auth, password },
            { accountId, id },
            deps,
          );
    await updateGateway(tx, accountId, id, { ...columnsOf(after.settings, deps), ...credentials });
    if (patch.numbers !== undefined) await changeNumbers(tx, accountId, current, after.settings.numbers, numbers);
    // Names of fields only: the log is no place for what credentials become.
    await recordAudit(tx, caller, `${directionOf(current)}-gateway.update`, id, { fields: Object.keys(patch) });
    const changed = await findGateway(tx, accountId, id);
    if (changed === null) throw noSuchGateway(direction);
    return gatewayBody(changed);
  };
  try {
    const changed = await db.transaction().execute(change);
    await applyAtOnce(db, accountId, id);
    await wakeGateways(db, [id]);
    return changed;
  } catch (error) {
    throw attachFailure(error);
  }
}

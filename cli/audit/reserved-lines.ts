import type { Db } from '../../db/client.js';
import type { AuditScope, Violation } from '../../db/queries/audit/invariants.js';
import { linesTaken, reservingGateways, type ReservingGateway } from '../../db/queries/audit/reserved-lines.js';

/** Instants in milliseconds since 1970, as many as there are calls: 16 bytes each. */
interface Lines {
  readonly from: number[];
  readonly until: number[];
}

/** Where batches had more lines of a gateway than it leaves them now, since it does. Nothing is read if no gateway keeps any back. */
export async function beyondReserve(
  db: Db,
  scope: AuditScope,
  add: (violations: readonly Violation[]) => void,
): Promise<void> {
  const gateways = new Map((await reservingGateways(db, scope)).map((gateway) => [gateway.id, gateway]));
  if (gateways.size === 0) return;
  const lines = new Map<string, Lines>();
  for (let after: string | null | undefined = undefined; after !== null;) {
    const page: Awaited<ReturnType<typeof linesTaken>> = await linesTaken(db, scope, after ?? null);
    for (const { gatewayId, fromMs, untilMs } of page.taken) {
      const gateway = gateways.get(gatewayId);
      if (gateway === undefined) continue; // It has kept lines back only since.
      const { from, until } = lines.get(gatewayId) ?? { from: [], until: [] };
      lines.set(gatewayId, { from, until });
      from.push(fromMs);
      until.push(untilMs ?? Infinity);
    }
    ({ after } = page);
  }
  for (const [id, taken] of lines) add(judge(gateways.get(id), taken));
}

/** Each call that was given a line beyond those of batches, since the gateway has so many. */
function judge(gateway: ReservingGateway | undefined, { from, until }: Lines): Violation[] {
  if (gateway === undefined) return [];
  const { id, linesOfBatches, since } = gateway;
  const starts = Float64Array.from(from).sort();
  const ends = Float64Array.from(until).sort();
  const violations: Violation[] = [];
  let ended = 0;
  for (const [place, atMs] of starts.entries()) {
    while ((ends[ended] ?? Infinity) <= atMs) ended += 1;
    const live = place + 1 - ended;
    if (live > linesOfBatches && atMs >= since.getTime()) {
      const details = `batches had ${live} lines at ${new Date(atMs).toISOString()}, of at most ${linesOfBatches}`;
      violations.push({ invariant: 'reserved-lines', id, details });
    }
  }
  return violations;
}

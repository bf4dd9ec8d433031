import { sql } from 'kysely';
import { groupOf } from '../../../domain/batch/fan-out.js';
import type { Db } from '../../client.js';

/** A call that is due and not queued for this long has been forgotten by its workflow. */
const forgottenSeconds = 30;

/** Rows that one round reads. The next round goes on from there. */
export interface RoundLimits {
  readonly calls: number;
  readonly batches: number;
}
const ofARound: RoundLimits = { calls: 100_000, batches: 500 };
const callsAtOnce = 10_000;

export interface ForgottenGroup {
  readonly accountId: string;
  readonly batchId: string;
  readonly group: number;
}

interface Place {
  readonly batchId: string;
  /** The last one that was looked at. */
  readonly position: number;
}

interface Piece {
  readonly looked: number;
  readonly last: number | null;
  /** Positions of forgotten calls. */
  readonly forgotten: readonly number[];
}

/**
 * Groups of running batches that hold a call which is due and neither queued nor live: the workflow has forgotten it, or
 * has not been started yet because it is not its turn.
 *
 * Looks at so many calls that a round takes the same time however many are open, and begins where the last one ended, on
 * whichever worker that was.
 */
export async function forgottenGroups(db: Db, limits: RoundLimits = ofARound): Promise<ForgottenGroup[]> {
  const start = await readPlace(db);
  const batches = await runningBatches(db, start, limits.batches);
  const found: ForgottenGroup[] = [];
  let place: Place | null = null;
  let left = limits.calls;
  for (const { accountId, batchId, callsPerWorkflow } of batches) {
    let after = batchId === start?.batchId ? start.position : -1;
    for (;;) {
      const most = Math.min(left, callsAtOnce);
      const piece = await lookAt(db, batchId, after, most);
      left -= piece.looked;
      const groups = new Set(piece.forgotten.map((position) => groupOf(position, callsPerWorkflow)));
      found.push(...[...groups].map((group) => ({ accountId, batchId, group })));
      after = piece.last ?? after;
      if (left <= 0 || piece.looked < most) break;
    }
    place = { batchId, position: after };
    if (left <= 0) break;
  }
  // Having come to the end of the last batch, the next round begins with the first.
  const isThrough = left > 0 && batches.length < limits.batches;
  await writePlace(db, isThrough ? null : place);
  return unique(found);
}

const unique = (groups: readonly ForgottenGroup[]): ForgottenGroup[] => [
  ...new Map(groups.map((each) => [`${each.batchId} ${each.group}`, each])).values(),
];

const sweep = 'forgotten-groups';

async function readPlace(db: Db): Promise<Place | null> {
  const { rows } = await sql<Place>`
    select batch_id as "batchId", position from sweep_places where sweep = ${sweep}`.execute(db);
  return rows[0] ?? null;
}

async function writePlace(db: Db, place: Place | null): Promise<void> {
  if (place === null) {
    await sql`delete from sweep_places where sweep = ${sweep}`.execute(db);
    return;
  }
  await sql`
    insert into sweep_places (sweep, batch_id, position) values (${sweep}, ${place.batchId}, ${place.position})
    on conflict (sweep) do update set batch_id = excluded.batch_id, position = excluded.position,
      updated_at = clock_timestamp()`.execute(db);
}

async function runningBatches(db: Db, from: Place | null, most: number) {
  const { rows } = await sql<{ accountId: string; batchId: string; callsPerWorkflow: number }>`
    select account_id as "accountId", id as "batchId", calls_per_workflow as "callsPerWorkflow" from batches
    where status = 'running' and (${from?.batchId ?? null}::text is null or id >= ${from?.batchId ?? null})
    order by id limit ${most}`.execute(db);
  return rows;
}

async function lookAt(db: Db, batchId: string, after: number, most: number): Promise<Piece> {
  const { rows } = await sql<Piece>`
    with looked as materialized (
      select c.id, c.position, c.next_attempt_at from calls c
      where c.batch_id = ${batchId} and not c.settled and c.position > ${after}
      order by c.position limit ${most}
    )
    select (select count(*)::integer from looked) as looked, (select max(position) from looked) as last,
      array(
        select l.position from looked l
        where coalesce(l.next_attempt_at, (select started_at from batches where id = ${batchId}))
            < clock_timestamp() - make_interval(secs => ${forgottenSeconds})
          and not exists (
            -- A look-up per call that is due, instead of a join over all attempts: "offset 0" keeps it one.
            select 1 from call_attempts a where a.call_id = l.id and a.phase <> 'ended' offset 0)
        order by l.position) as forgotten`.execute(db);
  return rows[0] ?? { looked: 0, last: null, forgotten: [] };
}

import { sql } from 'kysely';
import type { Db } from '../../db/client.js';
import { keysIn } from './answers.js';
import { batchId, gatewayId, type Setting } from './setting.js';

/** Batches of one gateway, as a claim has left them. */
interface Lane {
  readonly batch: string;
  readonly weight: number;
  readonly live: number;
  /** Somebody of it could have been called, and was not taken. */
  readonly waits: boolean;
}

/** A time in which two batches wait for the same gateway without a break. */
interface Contest {
  /** Nothing was claimed on the gateway before it. */
  readonly isFirst: boolean;
  /** Calls of each batch that were claimed since. */
  readonly served: Map<string, number>;
}

/** How batches share a gateway by their priorities, judged after each claim. */
export interface Shares {
  /** PostgreSQL has given these claims. */
  claimed(rows: readonly unknown[]): void;
  /** @returns what the claims since the last look break, in words */
  look(db: Db): Promise<string[]>;
}

/** Turns are kept to nine places. */
const rounded = 1e-6;

/**
 * Judges by counting calls: whoever is above its share of the lines by weight goes after whoever is below, and of those below
 * turns go by weight, so that none is ahead of another by more than one call.
 *
 * Gateways whose numbers have limits, and settings whose agents may run short, are left alone: more than weights decides there.
 */
export function createShares(setting: Setting, isLimited: (gateway: number) => boolean): Shares {
  const shared = setting.gateways.flatMap((_gateway, place) => {
    const own = setting.batches.filter((batch) => batch.gateway === place && batch.pool === null);
    const isShared = own.length > 1 && own.length === setting.batches.filter(({ gateway }) => gateway === place).length;
    return isShared && setting.agents === null ? [place] : [];
  });
  const weightOf = new Map(setting.batches.map(({ priority }, place) => [batchId(place), 10 - priority]));
  const contests = new Map<number, Contest | null>();
  let claims: ReturnType<typeof keysIn> = [];

  return {
    claimed(rows) {
      if (shared.length > 0) claims.push(...keysIn(rows));
    },
    async look(db) {
      if (claims.length === 0) return [];
      const taken = claims.map(({ callId }) => callId);
      claims = [];
      const { rows: batches } = await sql<{ gateway: string; batch: string | null; calls: number }>`
        select gateway_id as gateway, batch_id as batch, count(*)::integer as calls from calls
        where id = any (${taken}::uuid[]) group by 1, 2`.execute(db);
      const broken: string[] = [];
      for (const place of shared) {
        const own = batches.filter(({ gateway }) => gateway === gatewayId(place));
        if (own.length === 0 || isLimited(place)) continue;
        const served = new Map(own.flatMap(({ batch, calls }) => (batch === null ? [] : [[batch, calls] as const])));
        broken.push(...(await judge(db, place, served)));
      }
      return broken;
    },
  };

  async function judge(db: Db, place: number, served: ReadonlyMap<string, number>): Promise<string[]> {
    const { lines, isClear, lanes } = await lanesOf(db, place, weightOf);
    const waiting = lanes.filter(({ waits }) => waits);
    const before = contests.get(place);
    contests.set(place, null);
    if (!isClear || served.size === 0) return [];
    const overs = overShare(lanes, served, lines);
    // Turns are counted as long as all that wait are below their share, and so is whoever was served.
    const all = waiting.reduce((sum, { weight }) => sum + weight, 0);
    const isBelow = ({ weight, live }: Lane): boolean => live + 1 <= Math.ceil((weight * lines) / all - rounded);
    if (
      waiting.length < 2 ||
      !waiting.every(isBelow) ||
      [...served.keys()].some((id) => !waiting.some(({ batch }) => batch === id))
    )
      return overs;
    const contest = before ?? { isFirst: before === undefined, served: new Map<string, number>() };
    for (const { batch } of waiting)
      contest.served.set(batch, (contest.served.get(batch) ?? 0) + (served.get(batch) ?? 0));
    contests.set(place, contest);
    return [...overs, ...outOfTurn(waiting, contest)];
  }
}

/** A batch that was given a line beyond its share while another waited below its own. */
function overShare(lanes: readonly Lane[], served: ReadonlyMap<string, number>, lines: number): string[] {
  const inUse = lanes.reduce((sum, { live }) => sum + live, 0);
  const all = lanes.filter(({ waits, live }) => waits || live > 0).reduce((sum, { weight }) => sum + weight, 0);
  return lanes.flatMap((over) =>
    lanes.flatMap((under) => {
      if (over === under || !served.has(over.batch) || !under.waits) return [];
      const most = Math.ceil((over.weight * lines) / (over.weight + under.weight) - rounded);
      const least = Math.floor((under.weight * inUse) / all + rounded);
      if (over.live <= most || under.live >= least) return [];
      return [
        `${over.batch} was given line ${over.live} of ${lines}, above its share of ${most}, while ${under.batch} waited with ${under.live}`,
      ];
    }),
  );
}

/** Two batches of which one was served more than one call ahead of the other, by weight. */
function outOfTurn(waiting: readonly Lane[], { isFirst, served }: Contest): string[] {
  return waiting.flatMap((ahead) =>
    waiting.flatMap((behind) => {
      if (ahead === behind) return [];
      const [more, less] = [served.get(ahead.batch) ?? 0, served.get(behind.batch) ?? 0];
      const turns = more / ahead.weight - less / behind.weight;
      // Whoever had waited before may be a call ahead already.
      const allowed = 1 / ahead.weight + (isFirst ? 0 : 1 / behind.weight);
      if (turns <= allowed + rounded) return [];
      return [
        `${ahead.batch} of weight ${ahead.weight} was given ${more} turns while ${behind.batch} of weight ${behind.weight} waited with ${less}`,
      ];
    }),
  );
}

/** @returns lines that all batches together may have, and whether nothing but lines and turns decides who is next */
async function lanesOf(db: Db, place: number, weightOf: ReadonlyMap<string, number>) {
  const { rows } = await sql<{ batch: string; live: number; waits: boolean; lines: number; clear: boolean }>`
    with gateway as materialized (
      select a.gateway_id, greatest(0, gateway_ceiling(g.max_concurrent_calls, a.concurrency_cap, a.concurrency_changed_at, clock_timestamp())
        - gateway_reserve(g.reserved_calls, g.max_concurrent_calls)) as lines,
        a.suspended_since is null and not exists (
          -- A single call takes a line, and who was on another call waits for two seconds.
          select 1 from call_attempts x where x.gateway_id = a.gateway_id and (
            (x.batch_id is null and x.phase <> 'ended')
            or (x.phase = 'queued' and (
              (x.due_at > clock_timestamp() and x.due_at <= clock_timestamp() + interval '2 seconds')
              or exists (select 1 from call_attempts y where y.to_number = x.to_number and y.phase in ('claimed', 'dialing', 'ringing', 'answered'))))
          )) as clear
      from gateway_admission a join gateways g on g.id = a.gateway_id where a.gateway_id = ${gatewayId(place)}
    )
    select b.id as batch, w.lines::integer as lines, w.clear, v.live, b.status = 'running' and not b.paused and not b.window_moving
      and b.pre_dial is null and b.stop_at is null and b.stop_after_answered is null
      and (b.max_concurrent_calls is null or v.live < b.max_concurrent_calls) and exists (
        select 1 from call_attempts q where q.gateway_id = w.gateway_id and q.lane = b.id and q.phase = 'queued'
          and q.due_at <= clock_timestamp() and q.not_after > clock_timestamp()) as waits
    from gateway w join batches b on b.gateway_id = w.gateway_id
    cross join lateral (select count(*)::integer as live from call_attempts a where a.lane = b.id and a.gateway_id = w.gateway_id
      and a.phase in ('claimed', 'dialing', 'ringing', 'answered')) v`.execute(db);
  const lanes = rows.map(({ batch, live, waits }): Lane => ({ batch, live, waits, weight: weightOf.get(batch) ?? 5 }));
  return { lines: rows[0]?.lines ?? 0, isClear: rows[0]?.clear === true, lanes };
}

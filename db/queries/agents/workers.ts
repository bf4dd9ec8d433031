import { sql } from 'kysely';
import type { Db } from '../../client.js';

/** Why a worker offers no slots. */
export type AgentWorkerState = 'warming' | 'ready' | 'draining';

export interface AgentWorkerPresence {
  /** Names one run of a worker process. */
  readonly id: string;
  readonly region: string;
  /** Calls that it takes at once; 0 while it warms up or drains. */
  readonly slots: number;
  /** The most that it will take once all its processes have loaded; omitted: `slots`. */
  readonly mostSlots?: number;
  readonly state: AgentWorkerState;
  /** Conversations that it has now. */
  readonly used: number;
}

/** How long rows of workers that died are kept, so that an operator can look into it. */
const keptHours = 24;

/** Says that a worker is there and how many calls it takes; again and again, see db/functions/02-agent-slots.sql. */
export async function announceAgentWorker(db: Db, worker: AgentWorkerPresence): Promise<void> {
  const { id, region, slots, mostSlots = slots, state, used } = worker;
  await sql`
    insert into agent_workers (id, region, slots, most_slots, state, used)
    values (${id}, ${region}, ${slots}, ${mostSlots}, ${state}, ${used})
    on conflict (id) do update set region = excluded.region, slots = excluded.slots,
      most_slots = excluded.most_slots, state = excluded.state,
      used = excluded.used, seen_at = clock_timestamp()`.execute(db);
}

/** A worker goes, and with it what others have left of theirs. */
export async function withdrawAgentWorker(db: Db, id: string): Promise<void> {
  await sql`
    delete from agent_workers
    where id = ${id} or seen_at < clock_timestamp() - make_interval(hours => ${keptHours})`.execute(db);
}

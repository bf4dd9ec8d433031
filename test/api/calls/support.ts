import { v7 as uuidv7 } from 'uuid';
import { api, type RequestOptions } from '../support.js';
import { aCallingNumber, aNumber, rowsOf } from '../support-resources.js';

export interface MadeCall {
  readonly id: string;
  /** `calls.id` */
  readonly uuid: string;
  readonly ruleId: string;
  readonly gatewayId: string;
  readonly roomId: string;
  readonly from: string;
  readonly to: string;
}

/** A call made through the API; it waits in the queue. */
export async function aCall(change: object = {}, options: RequestOptions = {}): Promise<MadeCall> {
  const body = { sipCallTo: aNumber(), sipCallFrom: (await aCallingNumber()).e164, ...change };
  const response = await api.post('/v2/sip/call', body, options);
  if (response.status !== 201) throw new Error(`No call: ${response.text}`);
  const { data } = response.body as { data: Omit<MadeCall, 'uuid'> };
  return { ...data, uuid: data.id.replace('call_', '') };
}

/** Puts a call where a dialer would have it. */
export async function aCallThatIs(phase: 'queued' | 'claimed' | 'ringing' | 'answered' | 'ended'): Promise<MadeCall> {
  const call = await aCall();
  const rank = ['queued', 'claimed', 'ringing', 'answered', 'ended'].indexOf(phase);
  await rowsOf(
    `update call_attempts set phase = $2, invite = 1, claimed_by = $3,
       dialed_at = case when $4 >= 2 then now() end, ringing_at = case when $4 >= 2 then now() end,
       answered_at = case when $4 >= 3 then now() end, ended_at = case when $4 = 4 then now() end,
       outcome = case when $4 = 4 then 'answered' end
     where call_id = $1`,
    [call.uuid, phase, rank === 0 ? null : uuidv7(), rank],
  );
  const status = ['pending', 'pending', 'dialing', 'in-progress', 'answered'][rank];
  await rowsOf('update calls set status = $2, ended_at = case when $3 then now() end where id = $1', [
    ...[call.uuid, status, rank === 4],
  ]);
  return call;
}

/** Stores pages of a recording, as the call's agent would. @returns what a client then gets of it */
export async function aRecordingOf({ uuid }: Pick<MadeCall, 'uuid'>, pages: readonly string[]): Promise<string> {
  await rowsOf(
    `insert into recordings (call_id, account_id, attempt, started_at)
     select id, account_id, 1, now() from calls where id = $1`,
    [uuid],
  );
  await rowsOf(
    `insert into recording_chunks (call_id, account_id, sequence, frames, bytes)
     select c.id, c.account_id, p.number - 1, 50 * p.number, convert_to(p.text, 'UTF8')
     from calls c, unnest($2::text[]) with ordinality as p (text, number) where c.id = $1`,
    [uuid, pages],
  );
  return pages.join('');
}

import { v7 } from 'uuid';
import { aBatch } from '../batch-calls/support.js';
import { here } from '../support.js';
import { rowsOf } from '../support-resources.js';

export interface TracedCall {
  readonly callId: string;
  readonly batchId: string;
}

interface Traces {
  readonly status?: string;
  /** Phase of its attempt. */
  readonly attempt?: string;
  readonly accountId?: string;
}

/** A call of a batch that has left the person's traces wherever they can be. */
export async function aTracedCall(
  to: string,
  { status = 'answered', attempt = 'ended', accountId = here().me.account.id }: Traces = {},
): Promise<TracedCall> {
  const { batchId, route } = await aBatch({ accountId, counts: { [status]: 1 } });
  const callId = v7();
  const live = attempt !== 'ended' && attempt !== 'queued';
  await rowsOf('update batches set calls_per_workflow = 1 where id = $1', [batchId]);
  await rowsOf(`update batch_files set bytes = $1, byte_size = 5 where batch_id = $2`, [Buffer.from(to), batchId]);
  await rowsOf(
    `insert into calls (id, account_id, batch_id, position, to_number, from_number, rule_id, gateway_id, agent_id, status,
       metadata, transcript, summary, participant, room_id, recipient_id, attempts_made, talk_seconds)
     values ($1, $2, $3, 0, $4, $5, $6, $7, $8, $9, '{"name":"Ada Abbott"}',
       '[{"speaker":"callee","text":"Ada here","at":"2026-01-01T00:00:00.000Z"}]', 'Ada agreed', '{"name":"Ada Abbott"}',
       $10, 'crm Ada Abbott', 1, 12)`,
    [
      ...[callId, accountId, batchId, to, route.phoneNumber, route.ruleId, route.gatewayId, route.agentId, status],
      `${to}_room`,
    ],
  );
  await rowsOf(
    `insert into call_attempts (call_id, number, account_id, batch_id, gateway_id, to_number, due_at, phase, claimed_by,
       outcome, room, dialed_at, ended_at, sip_phrase, invite)
     values ($1, 1, $2, $3, $4, $5, now(), $6, $7, $8, $9, now(), $10, $11, 1)`,
    [
      ...[callId, accountId, batchId, route.gatewayId, to, attempt, live ? v7() : null],
      ...[attempt === 'ended' ? 'answered' : null, `${to}_room`, attempt === 'ended' ? new Date() : null, `for ${to}`],
    ],
  );
  await rowsOf(
    `insert into webhook_deliveries (id, account_id, call_id, event, endpoint, payload)
     values ($1, $2, $3, 'call-summary', 'https://example.com', $4)`,
    [`whd_${v7()}`, accountId, callId, JSON.stringify({ to, name: 'Ada Abbott' })],
  );
  await rowsOf(
    `insert into rejected_rows (batch_id, row, account_id, value, reason, message, recipient_id)
     values ($1, 9, $2, $3, 'duplicate', $3, 'crm Ada Abbott')`,
    [batchId, accountId, ` ${to.slice(0, 5)} ${to.slice(5)}`],
  );
  return { callId, batchId };
}

let people = 0;

/** A number that neither this file nor its routes have used. */
export function aPerson(): string {
  people += 1;
  return `+9188000${String(people).padStart(5, '0')}`;
}

import { v7 } from 'uuid';
import { insertCall } from '../../db/queries/calls/calls.js';
import { queueNewCall } from '../../db/queries/calls/queue-attempts.js';
import { wakeGateways } from '../../db/queries/dialer/wake-gateways.js';
import { addToOutbox } from '../../db/queries/outbox.js';
import { formatId } from '../../domain/ids.js';
import { roomFor } from '../../domain/call/room.js';
import { requireWithinGuardrails } from '../account/guardrail-check.js';
import { recordAudit } from '../audit.js';
import { withIdempotency } from '../idempotency.js';
import { operation } from '../operation.js';
import { callBody } from './bodies.js';
import { CreateCall, createBodyProblems, optionsOf } from './create-body.js';
import { lockCallRoute } from './route.js';
import { CallAnswer } from './schema.js';

/**
 * POST /v2/sip/call
 *
 * One transaction stores the call, its attempt in the dialers' queue and the order to start its workflow: neither Temporal nor
 * a worker is needed before it is dialed (docs/adr/0020-a-single-call-is-queued-by-its-request.md).
 */
export const createCall = operation({
  name: 'calls.create',
  method: 'POST',
  url: '/v2/sip/call',
  family: 'sip',
  tag: 'Calls',
  idempotent: true,
  schema: {
    summary: 'Make an outbound call',
    description:
      'Connects the agent of an outbound routing rule to a callee. Answers at once, at status `initiated`; follow ' +
      'the call with GET or a SIP webhook. A call that could not be dialed within 60 seconds ends `failed`.\n\n' +
      '400: the number has no outbound gateway or rule, or the agent is not active. 403: the callee is on the ' +
      'do-not-call list or outside of the account’s guardrails, or all its dialing is stopped. 404: the number, ' +
      'gateway or rule is not on the account.',
    body: CreateCall,
    bodyProblems: createBodyProblems,
    response: { 201: CallAnswer },
    errors: [404],
  },

  async handler(request, deps) {
    const { body, caller } = request;
    const { accountId } = caller;
    const answer = await withIdempotency(request, deps, body, async (tx) => {
      const { gateway, ruleId, agentId, room } = await lockCallRoute(tx, accountId, body);
      const id = v7();
      const parties = { to: body.sipCallTo, from: body.sipCallFrom };
      await requireWithinGuardrails(tx, accountId, parties, deps.clock());
      const call = await insertCall(tx, {
        id,
        accountId,
        ...parties,
        ruleId,
        gatewayId: gateway.id,
        agentId,
        region: gateway.sipRegion === 'auto' ? (deps.env.OUTDIAL_REGIONS[0] ?? 'default') : gateway.sipRegion,
        roomId: roomFor(
          room,
          { callId: id, ...parties, askedRoom: body.destinationRoomId, hidesNumber: body.hidePhoneNumber },
          1,
          1,
        ),
        participant: body.participant ?? null,
        options: optionsOf(body),
        metadata: body.metadata,
        simulated: deps.env.OUTDIAL_PROVIDER === 'simulator',
      });
      await queueNewCall(tx, accountId, id);
      await addToOutbox(tx, { kind: 'start', name: 'calls', input: { accountId, callId: id } });
      await recordAudit(tx, caller, 'call.create', formatId('call', id), { ruleId });
      return {
        status: 201 as const,
        body: {
          message: 'The call is being placed.',
          data: callBody({ call, attempts: [], transfers: [], batchName: null, isRecorded: false, currency: null }),
        },
      };
    });
    // Not waited for: a claim that is under way on the gateway would delay the answer. If it fails, the dialers' sweep finds it.
    wakeGateways(deps.database.db, [answer.body.data.gatewayId]).catch((error: unknown) =>
      deps.logger.warn({ err: error }, 'the dialers could not be told of a new call; they find it by themselves'),
    );
    deps.temporal.kick();
    return answer;
  },
});

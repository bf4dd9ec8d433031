import { describe, expect, test, vi } from 'vitest';
import { aCallingNumber, anAgent, aNumber, aRule, rowsOf } from '../../support-resources.js';
import { soon } from '../../../setup/soon.js';
import { anotherApp, api, here } from '../../support.js';

describe('201', () => {
  interface Created {
    message: string;
    data: { id: string; ruleId: string; roomId: string };
  }

  const call = (body: object, options = {}) => api.post('/v2/sip/call', body, options);

  const created = async (body: object) => {
    const response = await call(body);
    expect(response.status).toBe(201);
    return (response.body as Created).data;
  };

  const uuidIn = (id: string) => id.replace(/^call_/, '');

  // shows: call.create, call.fields, call.initiated, call.metadata, everywhere.arrays-there, calls.region
  test('a call answers at once, initiated, with the first rule, the gateway and the room of its first attempt', async () => {
    const { e164, outboundGatewayId, ruleId } = await aCallingNumber();
    const to = aNumber();

    const response = await call({ sipCallTo: to, sipCallFrom: e164, metadata: { customer: 7, note: null } });

    expect(response.status).toBe(201);
    const { data } = response.body as Created;
    expect(response.body).toEqual({
      message: expect.any(String),
      data: {
        id: expect.stringMatching(/^call_[0-9a-f-]{36}$/),
        type: 'outbound',
        status: 'initiated',
        from: e164,
        to,
        roomId: `${data.id}_1_1`,
        gatewayId: outboundGatewayId,
        ruleId,
        region: 'default',
        metadata: { customer: 7, note: null },
        timelog: [{ status: 'initiated', timestamp: expect.stringMatching(/Z$/) }],
      },
    });
  });

  // shows: calls.placed-later
  test('the call, its attempt, its workflow’s start and the audit entry are committed together, and the outbox is kicked', async () => {
    const { e164, ruleId, outboundGatewayId } = await aCallingNumber();
    const kicks = here().kicks;
    const { id } = await created({
      sipCallTo: aNumber(),
      sipCallFrom: e164,
      ringingTimeout: 15,
      maxCallDuration: 60,
      headers: { 'X-Order': '12' },
      participant: { id: 'customer-7', name: 'Ada' },
      waitUntilAnswered: true,
    });

    expect(await rowsOf('select * from calls where id = $1', [uuidIn(id)])).toMatchObject([
      {
        account_id: here().me.account.id,
        batch_id: null,
        status: 'pending',
        attempts_made: 0,
        rule_id: ruleId,
        gateway_id: outboundGatewayId,
        participant: { id: 'customer-7', name: 'Ada' },
        options: { ringingTimeout: 15, maxCallDuration: 60, headers: { 'X-Order': '12' } },
        simulated: false,
      },
    ]);
    expect(await rowsOf('select kind, name, workflow_id, input from outbox where workflow_id = $1', [id])).toEqual([
      { kind: 'start', name: 'calls', workflow_id: id, input: { accountId: here().me.account.id, callId: uuidIn(id) } },
    ]);
    expect(await rowsOf('select number, phase, batch_id from call_attempts where call_id = $1', [uuidIn(id)])).toEqual([
      { number: 1, phase: 'queued', batch_id: null },
    ]);
    expect(await rowsOf('select action from audit_log where target = $1', [id])).toEqual([{ action: 'call.create' }]);
    expect(here().kicks).toBe(kicks + 1);
  });

  // shows: calls.60s
  test('D13: a call is in the queue when it is answered, for a minute from its request, and its gateway is woken', async () => {
    const { e164, outboundGatewayId } = await aCallingNumber();
    await rowsOf("update gateway_admission set next_claim_at = 'infinity' where gateway_id = $1", [outboundGatewayId]);
    const { id } = await created({ sipCallTo: aNumber(), sipCallFrom: e164 });

    expect(
      await rowsOf(
        `select due_at <= clock_timestamp() as due, expires_at - created_at as life from call_attempts where call_id = $1`,
        [uuidIn(id)],
      ),
    ).toMatchObject([{ due: true, life: { minutes: 1 } }]);
    const awake = 'select 1 from gateway_admission where gateway_id = $1 and next_claim_at <= clock_timestamp()';
    await vi.waitFor(async () => expect(await rowsOf(awake, [outboundGatewayId])).toHaveLength(1), soon);
  });

  test('a call whose gateway cannot be woken is made all the same: the sweep of the dialers finds it', async () => {
    const { e164, outboundGatewayId } = await aCallingNumber();
    await rowsOf("update gateway_admission set next_claim_at = 'infinity' where gateway_id = $1", [outboundGatewayId]);
    const { database } = here();
    const held = await database.pool.connect();
    try {
      await held.query('begin');
      await held.query('select 1 from gateway_admission where gateway_id = $1 for update', [outboundGatewayId]);
      const { id } = await created({ sipCallTo: aNumber(), sipCallFrom: e164 });
      expect(await rowsOf('select phase from call_attempts where call_id = $1', [uuidIn(id)])).toEqual([
        { phase: 'queued' },
      ]);
    } finally {
      await held.query('rollback');
      held.release();
    }
  });

  // shows: call.rule
  test('without a rule the oldest outbound one is used; a named one wins', async () => {
    const { e164, ruleId } = await aCallingNumber();
    const later = await aRule({ phoneNumbers: [e164] });
    expect((await created({ sipCallTo: aNumber(), sipCallFrom: e164 })).ruleId).toBe(ruleId);
    expect((await created({ sipCallTo: aNumber(), sipCallFrom: e164, routingRuleId: later })).ruleId).toBe(later);
  });

  // shows: call.rule-decides
  test('the rule names the room', async () => {
    const { e164 } = await aCallingNumber({ room: { type: 'static', id: 'front-desk' } });
    const to = aNumber();
    expect((await created({ sipCallTo: to, sipCallFrom: e164, destinationRoomId: 'elsewhere' })).roomId).toBe(
      'front-desk',
    );
    const routingRuleId = await aRule({ phoneNumbers: [e164], room: { prefix: 'participantNumber' } });
    const { id, roomId } = await created({ sipCallTo: to, sipCallFrom: e164, routingRuleId });
    expect(roomId).toBe(`${to}_${id}_1_1`);
    const hidden = await created({ sipCallTo: to, sipCallFrom: e164, routingRuleId, hidePhoneNumber: true });
    expect(hidden.roomId).toMatch(new RegExp(`^[a-z0-9]{8}_${hidden.id}_1_1$`));
  });

  test('a callee whom the rule’s list allows is called, and the gateway may be named', async () => {
    const { e164, outboundGatewayId } = await aCallingNumber({ allowedNumbers: ['+91*'], agentId: await anAgent() });
    await created({ sipCallTo: aNumber(), sipCallFrom: e164, gatewayId: outboundGatewayId });
  });

  // shows: calls.simulated
  test('with the simulator the call says that it is simulated', async () => {
    const { deps } = here();
    const app = await anotherApp({ env: { ...deps.env, OUTDIAL_PROVIDER: 'simulator' } });
    const { e164 } = await aCallingNumber();
    const { body } = await call({ sipCallTo: aNumber(), sipCallFrom: e164 }, { app });
    const { id } = (body as Created).data;
    expect(await rowsOf('select simulated from calls where id = $1', [uuidIn(id)])).toEqual([{ simulated: true }]);
  });

  // shows: idempotency.calls
  test('a second try with the same Idempotency-Key dials no second call', async () => {
    const { e164 } = await aCallingNumber();
    const [body, headers] = [{ sipCallTo: aNumber(), sipCallFrom: e164 }, { 'idempotency-key': 'dial-once' }];
    const responses = [await call(body, { headers }), await call(body, { headers })];
    expect(responses.map(({ status }) => status)).toEqual([201, 201]);
    expect(responses[1]?.body).toEqual(responses[0]?.body);
    expect(await rowsOf('select 1 from calls where to_number = $1', [body.sipCallTo])).toHaveLength(1);
    expect(await rowsOf('select 1 from call_attempts where to_number = $1', [body.sipCallTo])).toHaveLength(1);
    expect(
      await rowsOf('select 1 from outbox where workflow_id = $1', [(responses[0]!.body as Created).data.id]),
    ).toHaveLength(1);
  });

  test('everything that a call may ask for is taken, and kept for its order', async () => {
    const { e164 } = await aCallingNumber();
    const asked = {
      ...{
        ringingTimeout: 20,
        maxCallDuration: 300,
        headers: { 'X-Order': '12' },
        destinationRoomId: 'room-7',
        dtmf: true,
      },
      ...{ mediaEncryption: 'enable', hidePhoneNumber: true, includeHeaders: 'SIP_X_HEADERS' },
    };
    const unkept = { waitUntilAnswered: true };
    const { id, roomId } = await created({ sipCallTo: aNumber(), sipCallFrom: e164, ...asked, ...unkept });
    expect(roomId).toBe('room-7');
    expect(await rowsOf('select options from calls where id = $1', [uuidIn(id)])).toEqual([{ options: asked }]);
  });
});

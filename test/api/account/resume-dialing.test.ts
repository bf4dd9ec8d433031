import { describe, expect, test } from 'vitest';
import { aCallingNumber, aNumber, rowsOf } from '../support-resources.js';
import { api, here } from '../support.js';

describe('200', () => {
  // shows: guardrails.resume
  test('dialing goes on at once: gateways are woken, and calls are taken again', async () => {
    const { e164, outboundGatewayId } = await aCallingNumber();
    await api.post('/v1/account/stop-dialing');
    await rowsOf("update gateway_admission set next_claim_at = 'infinity' where gateway_id = $1", [outboundGatewayId]);

    const resumed = await api.post('/v1/account/resume-dialing');
    expect(resumed.status).toBe(200);
    expect(resumed.body).toEqual({ dialingStopped: false });

    expect(
      await rowsOf("select 1 from gateway_admission where gateway_id = $1 and next_claim_at < 'infinity'", [
        outboundGatewayId,
      ]),
    ).toHaveLength(1);
    expect((await api.post('/v2/sip/call', { sipCallTo: aNumber(), sipCallFrom: e164 })).status).toBe(201);
  });

  test('resuming what is not stopped changes nothing, and is written down too', async () => {
    expect((await api.post('/v1/account/resume-dialing')).body).toEqual({ dialingStopped: false });
    const log = await rowsOf("select 1 from audit_log where account_id = $1 and action = 'account.resume-dialing'", [
      here().me.account.id,
    ]);
    expect(log.length).toBeGreaterThan(0);
  });
});

describe('400', () => {
  test('an order that is not understood resumes nothing', async () => {
    await api.post('/v1/account/stop-dialing');
    expect((await api.post('/v1/account/resume-dialing', { when: 'now' })).status).toBe(400);
    expect((await api.get('/v1/account/guardrails')).body).toMatchObject({ dialingStopped: true });
  });
});

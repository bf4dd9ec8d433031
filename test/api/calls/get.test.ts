import { describe, expect, test } from 'vitest';
import { aCallingNumber, aNumber, rowsOf } from '../support-resources.js';
import { anAccount, api } from '../support.js';
import { aCallThatIs, aRecordingOf } from './support.js';

describe('200', () => {
  async function aCall(): Promise<{ id: string; uuid: string; gatewayId: string }> {
    const { e164, outboundGatewayId } = await aCallingNumber();
    const response = await api.post('/v2/sip/call', { sipCallTo: aNumber(), sipCallFrom: e164 });
    const { id } = (response.body as { data: { id: string } }).data;
    return { id, uuid: id.replace('call_', ''), gatewayId: outboundGatewayId };
  }

  const get = async (id: string) => {
    const response = await api.get(`/v2/sip/call/${id}`);
    expect(response.status).toBe(200);
    return (response.body as { data: object }).data;
  };

  // shows: call.fields
  test('a new call has no attempts yet', async () => {
    const { id } = await aCall();
    expect(await get(id)).toMatchObject({
      id,
      type: 'outbound',
      status: 'initiated',
      simulated: false,
      attempts: [],
      metadata: {},
      timelog: [{ status: 'initiated' }],
      agentId: expect.stringMatching(/^agt_/),
    });
    expect(await get(id)).not.toHaveProperty('duration');
    expect(await get(id)).not.toHaveProperty('transcript');
  });

  // shows: calls.get
  test('a call that was retried and answered tells all of it', async () => {
    const { id, uuid, gatewayId } = await aCall();
    await rowsOf('delete from call_attempts where call_id = $1', [uuid]);
    const start = Date.now();
    const at = (seconds: number) => new Date(start + seconds * 1000).toISOString();
    await rowsOf(
      `insert into call_attempts (call_id, number, account_id, gateway_id, to_number, phase, invite, due_at, dialed_at,
       ringing_at, answered_at, ended_at, outcome, sip_status_code)
     select $1, z.number, account_id, $2, to_number, 'ended', 1, now(), z.dialed, z.ringing, z.answered, z.ended,
       z.outcome, z.code
     from calls, (values (1, $3::timestamptz, $4::timestamptz, null::timestamptz, $5::timestamptz, 'not-answered', 480),
       (2, $6, $7, $8, $9, 'answered', 200)) as z (number, dialed, ringing, answered, ended, outcome, code)
     where id = $1`,
      [uuid, gatewayId, at(1), at(2), at(20), at(60), at(61), at(65), at(77.5)],
    );
    await rowsOf(
      `update calls set status = 'answered', attempts_made = 2, sip_status_code = 200, reason = 'callee_hung_up',
       answered_by = 'human', talk_seconds = 12.5, answered_at = $2, ended_at = $3, room_id = 'r_2_1', version_id = 'ver_1',
       simulated = true, summary = 'Went well.',
       analysis = '{"kept": true, "mood": "glad"}', success = true, transcript = '[{"speaker":"agent","text":"Hello"}]' where id = $1`,
      [uuid, at(65), at(77.5)],
    );

    expect(await get(id)).toMatchObject({
      status: 'ended',
      duration: 12.5,
      sipStatusCode: 200,
      reason: 'callee_hung_up',
      answeredBy: 'human',
      simulated: true,
      roomId: 'r_2_1',
      versionId: 'ver_1',
      summary: 'Went well.',
      analysis: { kept: true, mood: 'glad' },
      success: true,
      transcript: [{ speaker: 'agent', text: 'Hello' }],
      attempts: [
        { number: 1, status: 'not-answered', sipStatusCode: 480, startedAt: at(1), endedAt: at(20) },
        { number: 2, status: 'ended', sipStatusCode: 200, startedAt: at(60), endedAt: at(77.5) },
      ],
    });
    const { timelog } = (await get(id)) as { timelog: { status: string; timestamp: string }[] };
    expect(timelog.slice(1)).toEqual([
      { status: 'ringing', timestamp: at(2) },
      { status: 'not-answered', timestamp: at(20) },
      { status: 'initiated', timestamp: at(60) },
      { status: 'ringing', timestamp: at(61) },
      { status: 'answered', timestamp: at(65) },
      { status: 'ended', timestamp: at(77.5) },
    ]);
  });

  test('an attempt in the queue is not shown as one', async () => {
    const { id, uuid } = await aCall();
    expect(await rowsOf('select phase from call_attempts where call_id = $1', [uuid])).toEqual([{ phase: 'queued' }]);
    expect(await get(id)).toMatchObject({ status: 'initiated', attempts: [] });
  });

  // shows: calls.recording
  test('where the recording is, is told once the call is over', async () => {
    const [ended, live, silent] = [
      await aCallThatIs('ended'),
      await aCallThatIs('answered'),
      await aCallThatIs('ended'),
    ];
    for (const call of [ended, live]) await aRecordingOf(call, ['sound']);
    const url = expect.stringMatching(new RegExp(`^https?://.+/v2/sip/call/${ended.id}/recording$`));
    expect(await get(ended.id)).toMatchObject({ recordingUrl: url });
    expect(await get(live.id)).not.toHaveProperty('recordingUrl');
    expect(await get(silent.id)).not.toHaveProperty('recordingUrl');
  });

  test('the answer has what models used and how long the callee waited, of this call alone', async () => {
    const { id, uuid } = await aCall();
    expect(await get(id)).not.toHaveProperty('usage');
    expect(await get(id)).not.toHaveProperty('timings');
    await rowsOf(
      `insert into call_usage (call_id, account_id, source, kind, model, input_tokens, output_tokens, audio_seconds, characters)
     select id, account_id, z.source, z.kind, z.model, z.i, z.o, z.a, z.c from calls, (values
       ('1/AJ_1', 'llm', 'openai/one', 10, 2, 0, 0), ('summary', 'llm', 'openai/one', 100, 20, 0, 0),
       ('1/AJ_1', 'tts', 'cartesia/voice', 0, 0, 2.5, 40)) as z (source, kind, model, i, o, a, c) where id = $1`,
      [uuid],
    );
    await rowsOf(
      `insert into agent_runs (call_id, account_id, attempt, run, answered_to_speech_ms, turns)
     select id, account_id, 1, 'AJ_1', 412, '[{"at":"2026-03-02T09:30:14.120Z","ms":870}]' from calls where id = $1`,
      [uuid],
    );
    expect(await get(id)).toMatchObject({
      usage: [
        { kind: 'llm', model: 'openai/one', inputTokens: 110, outputTokens: 22 },
        { kind: 'tts', model: 'cartesia/voice', audioSeconds: 2.5, characters: 40 },
      ],
      timings: { answeredToSpeechMs: 412, turns: [{ at: '2026-03-02T09:30:14.120Z', ms: 870 }] },
    });
  });
});

describe('404', () => {
  test('an unknown call, one of another account and a text that is no id are not found, in the same words', async () => {
    const { e164 } = await aCallingNumber();
    const response = await api.post('/v2/sip/call', { sipCallTo: aNumber(), sipCallFrom: e164 });
    const { id } = (response.body as { data: { id: string } }).data;
    const { token } = await anAccount();

    const answers = await Promise.all([
      api.get(`/v2/sip/call/${id}`, { token }),
      api.get('/v2/sip/call/call_00000000-0000-7000-8000-000000000000'),
      api.get(`/v2/sip/call/${id.replace('call_', 'rec_')}`),
      api.get('/v2/sip/call/nonsense'),
      api.get("/v2/sip/call/call_'%20or%201=1--"),
    ]);

    for (const answer of answers) {
      expect(answer.status).toBe(404);
      expect(answer.body).toEqual({ message: 'Call not found' });
    }
  });
});

import { AgentDispatchClient } from 'livekit-server-sdk';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { lockCall } from '../../db/queries/calls/control.js';
import { orderTransfer } from '../../db/queries/calls/order-transfer.js';
import { agentName, formatAgentJob } from '../../domain/agent/job.js';
import { findLiveKitServer } from '../../test/setup/livekit-server.js';
import { enterAsCallee, type TestCallee } from './callee.js';
import { anInboundLine, type TestInboundLine } from './inbound-line.js';
import { greeted, recordingOf } from './recorded-call.js';
import { english, timeout } from './talk.js';
import { agentTestEnv, patience, setUp, type AgentTestEnv } from './test-env.js';
import { desk, openTransferDesk, type TransferDesk } from './transfer-desk.js';

const program = findLiveKitServer();

describe.skipIf(program === undefined)('kinds of warm transfers through a real LiveKit (LIVEKIT_SERVER_BIN)', () => {
  let testEnv: AgentTestEnv;
  let office: TransferDesk;
  let line: TestInboundLine;
  beforeAll(async () => {
    testEnv = await agentTestEnv(program ?? '');
    office = await openTransferDesk(testEnv);
    line = await anInboundLine(testEnv, { ...english(), advanced: { transfer: { to: desk, mode: 'warm' } } });
    await rowsOf('update routing_rules set recording = true where id = $1', [line.ruleId]);
    await rowsOf(
      `insert into number_gateways (number_id, account_id, e164, direction, gateway_id)
      select id, account_id, e164, 'outbound', 'gwo_test' from phone_numbers where e164 = $1`,
      [line.number],
    );
  }, setUp);
  afterAll(async () => {
    await office.close();
    await testEnv.close();
  });

  const rowsOf = async <Row extends object>(statement: string, values: unknown[] = []): Promise<Row[]> =>
    (await testEnv.database.pool.query<Row>(statement, values)).rows;
  const statusOf = async (id: string) =>
    (await rowsOf<{ status: string }>('select status from call_transfers where call_id = $1 order by id desc', [id]))[0]
      ?.status;
  const becomes = (id: string, status: string) => expect.poll(() => statusOf(id), patience).toBe(status);
  const called = async (count: number): Promise<TestCallee> => {
    await expect.poll(() => office.telephones.length, patience).toBe(count);
    const { telephone } = office.telephones.at(-1)!;
    return telephone;
  };
  /** One speaks until the other has heard it. */
  const hears = async (listener: TestCallee, speaker: TestCallee) => {
    const before = listener.heardSeconds();
    const heard = async () => {
      await speaker.speak(0.5);
      return listener.heardSeconds();
    };
    await expect.poll(heard, patience).toBeGreaterThan(before + 0.3);
  };
  /** Seconds of the recording until now. */
  const secondsOf = async (id: string): Promise<number> => {
    const [row] = await rowsOf<{ at: Date }>('select started_at as at from recordings where call_id = $1', [id]);
    return (Date.now() - row!.at.getTime()) / 1_000;
  };

  /** The colleague takes the call, and both talk. @returns when they were joined, and when they had been heard */
  async function joined(id: string, callee: TestCallee, colleague: TestCallee): Promise<[number, number]> {
    await expect.poll(() => colleague.heardSeconds(), patience).toBeGreaterThan(0.5);
    await colleague.press('1');
    await becomes(id, 'transferred');
    const from = await secondsOf(id);
    await hears(callee, colleague);
    await hears(colleague, callee);
    return [from, await secondsOf(id)];
  }

  const recorded = async (id: string) => {
    await expect.poll(async () => (await recordingOf(testEnv, { id })).isEnded, patience).toBe(true);
    return recordingOf(testEnv, { id });
  };

  /** A caller who has heard the greeting. */
  async function aCaller(): Promise<{ readonly id: string; readonly caller: TestCallee }> {
    const place = { ...line, room: `${line.room}_${office.telephones.length}`, identity: line.identity };
    const attributes = { ...line.attributes, 'sip.callIDFull': place.room };
    const caller = await enterAsCallee(testEnv.liveKit, place.room, place.identity, attributes);
    const { url, apiKey, apiSecret } = testEnv.liveKit;
    const metadata = formatAgentJob({ kind: 'inbound', ruleId: line.ruleId });
    await new AgentDispatchClient(url, apiKey, apiSecret).createDispatch(place.room, agentName, { metadata });
    await expect.poll(() => caller.heardSeconds(), patience).toBeGreaterThan(0.8);
    const [row] = await rowsOf<{ id: string }>(`select call_id as id from inbound_legs where room like '%' || $1`, [
      place.room,
    ]);
    return { id: row!.id, caller };
  }
  async function asksForPerson(caller: TestCallee): Promise<void> {
    testEnv.speech.hears.push('Let me talk to a person.');
    testEnv.speech.answers.push({ tool: 'transfer_to_person' });
    await caller.speak(1.6);
  }

  // shows: calls.transfer.inbound
  test(
    'a caller is handed over by the agent’s own function: called from the number that was called, joined, and recorded until the end',
    { timeout },
    async () => {
      office.colleague = 'picks up';
      const before = office.telephones.length;
      const { id, caller } = await aCaller();
      await asksForPerson(caller);
      const colleague = await called(before + 1);
      expect(office.telephones.at(-1)).toMatchObject({ to: desk, from: line.number });
      const [from, until] = await joined(id, caller, colleague);
      expect(office.invites).toHaveLength(before + 1);

      await caller.hangUp();
      await expect.poll(() => colleague.isGone(), patience).toBe(true);
      const sound = await recorded(id);
      expect(sound.loudSeconds('agent', from, until)).toBeGreaterThan(0.1);
      expect(sound.loudSeconds('callee', from, until)).toBeGreaterThan(0.1);
    },
  );

  test('a caller who hangs up on hold: the colleague’s telephone stops ringing', { timeout }, async () => {
    office.colleague = 'rings';
    const before = office.telephones.length;
    const { id, caller } = await aCaller();
    await asksForPerson(caller);
    const colleague = await called(before + 1);
    await caller.hangUp();
    await expect.poll(() => colleague.isGone(), patience).toBe(true);
    await becomes(id, 'failed');
    expect(office.invites).toHaveLength(before + 1);
  });

  // shows: calls.transfer.recorded
  test(
    'the recording of a call that was dialed goes on after the joining: colleague and callee are on it, the consultation is not',
    { timeout },
    async () => {
      office.colleague = 'picks up';
      const before = office.telephones.length;
      const call = await greeted(testEnv, { recordAudio: true });
      await office.adopt(call);
      await testEnv.database.db.transaction().execute(async (tx) => {
        await lockCall(tx, testEnv.accountId, call.id);
        await orderTransfer(tx, { accountId: testEnv.accountId, callId: call.id, to: desk, mode: 'warm' });
      });
      const colleague = await called(before + 1);
      const held = await secondsOf(call.id);
      await expect.poll(() => colleague.heardSeconds(), patience).toBeGreaterThan(0.5);
      await colleague.speak(1);
      const heldUntil = await secondsOf(call.id);
      const [from, until] = await joined(call.id, call.callee, colleague);
      await colleague.hangUp();
      await expect.poll(() => call.callee.isGone(), patience).toBe(true);

      const sound = await recorded(call.id);
      expect(sound.seconds).toBeGreaterThanOrEqual(until);
      expect(sound.loudSeconds('agent', from, until)).toBeGreaterThan(0.1);
      expect(sound.loudSeconds('callee', from, until)).toBeGreaterThan(0.1);
      for (const side of ['agent', 'callee'] as const) {
        expect(sound.loudness(side, held, heldUntil)).toBeLessThan(150);
      }
    },
  );
});

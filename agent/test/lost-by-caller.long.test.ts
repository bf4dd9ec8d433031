import { readFileSync } from 'node:fs';
import { AgentDispatchClient } from 'livekit-server-sdk';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { lookAtCallersSoon } from '../../db/queries/calls/inbound-legs.js';
import { keepInboundCalls } from '../../dialer/inbound-keeper.js';
import { agentName, formatAgentJob } from '../../domain/agent/job.js';
import { createLogger } from '../../platform/logger.js';
import { createInboundLegs } from '../../telephony/livekit/inbound-legs.js';
import { findLiveKitServer } from '../../test/setup/livekit-server.js';
import { enterAsCallee } from './callee.js';
import { anInboundLine } from './inbound-line.js';
import { english, timeout } from './talk.js';
import { agentTestEnv, loseAgent, patience, setUp, type AgentTestEnv } from './test-env.js';

const program = findLiveKitServer();

describe.skipIf(program === undefined)('a caller whose agent dies, at a real LiveKit (LIVEKIT_SERVER_BIN)', () => {
  let testEnv: AgentTestEnv;
  let stopKeeping: () => Promise<void>;
  beforeAll(async () => {
    testEnv = await agentTestEnv(program ?? '');
    const legs = createInboundLegs([{ name: 'default', ...testEnv.liveKit }]);
    const timing = { everyMs: 200, goneAfterMs: 8_000, agentLostAfterMs: 90_000 };
    const logger = createLogger('dialer', 'silent');
    stopKeeping = keepInboundCalls({ database: testEnv.database, legs, logger }, timing);
  }, setUp);
  afterAll(async () => {
    await stopKeeping();
    await testEnv.close();
  });

  const begun = (room: string): number =>
    readFileSync(testEnv.log, 'utf8')
      .split('\n')
      .filter((line) => line.includes('"a conversation begins"') && line.includes(room)).length;

  test('gets one other agent, which goes on with the conversation and does not greet again', { timeout }, async () => {
    const { db } = testEnv.database;
    const line = await anInboundLine(testEnv, english());
    const caller = await enterAsCallee(testEnv.liveKit, line.room, line.identity, line.attributes);
    const { url, apiKey, apiSecret } = testEnv.liveKit;
    const metadata = formatAgentJob({ kind: 'inbound', ruleId: line.ruleId });
    await new AgentDispatchClient(url, apiKey, apiSecret).createDispatch(line.room, agentName, { metadata });
    const call = () =>
      db.selectFrom('calls').select(['status', 'transcript']).where('rule_id', '=', line.ruleId).execute();
    await expect.poll(call, patience).toMatchObject([{ status: 'in-progress', transcript: [{ speaker: 'agent' }] }]);
    await expect.poll(() => caller.heardSeconds(), patience).toBeGreaterThan(0.8);
    expect(begun(line.room)).toBe(1);

    testEnv.speech.answers.push({ text: 'Sorry, where were we?' });
    await loseAgent(testEnv, line.room);
    // As the webhook about who has left does.
    await lookAtCallersSoon(db, 'default', line.room);
    const goneOn = [{ speaker: 'agent' }, { speaker: 'agent', text: 'Sorry, where were we?' }];
    await expect.poll(call, patience).toMatchObject([{ status: 'in-progress', transcript: goneOn }]);
    expect(begun(line.room)).toBe(2);
    await caller.hangUp();
  });
});

import { SipClient } from 'livekit-server-sdk';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { InboundLine } from '../../../domain/call/inbound-line.js';
import { mirrorInboundLines } from '../../../telephony/livekit/inbound-mirror.js';
import type { LiveKitRegion } from '../../../telephony/livekit/regions.js';
import { findLiveKitServer, type LiveKitServer, startLiveKitServer } from '../../setup/livekit-server.js';
import { findRedis, type Redis, startRedis } from '../../setup/redis.js';

const server = findLiveKitServer();
const redis = findRedis();

const withoutAuth: InboundLine = {
  ...{ number: '+15550100001', region: 'auto', allowedNumbers: ['+15550109999'] },
  gatewayId: 'gwi_01990c5e-7d2a-7c31-9f0e-3b6a4d1c8e51',
  ruleId: 'rule_01990c5e-7d2a-7c31-9f0e-3b6a4d1c8e52',
  allowedAddresses: ['198.51.100.0/24', '203.0.113.7'],
  ...{ mediaEncryption: 'enable', maxCallSeconds: 3600, headersToAttributes: { 'X-Customer': 'customer' } },
  ...{ includeHeaders: 'SIP_X_HEADERS', hidePhoneNumber: true, hasAgent: true },
  room: { type: 'dynamic', prefix: 'inbound', pin: '4711' },
};

const line: InboundLine = { ...withoutAuth, auth: { username: 'trunk', password: 'correct horse' } };

describe.skipIf(server === undefined || redis === undefined)(
  'trunks of a real LiveKit server (LIVEKIT_SERVER_BIN, REDIS_SERVER_BIN)',
  () => {
    let started: { readonly server: LiveKitServer; readonly redis: Redis };
    let region: LiveKitRegion;

    beforeAll(async () => {
      const shared = await startRedis(redis ?? '');
      started = { redis: shared, server: await startLiveKitServer(server ?? '', [], { redis: shared.address }) };
      const { url, apiKey, apiSecret } = started.server;
      region = { name: 'default', url, apiKey, apiSecret };
    });
    afterAll(async () => {
      await started.server.close();
      await started.redis.close();
    });

    const kept = async () => {
      const sip = new SipClient(region.url, region.apiKey, region.apiSecret);
      return { trunks: await sip.listSipInboundTrunk(), rules: await sip.listSipDispatchRule() };
    };

    test('are made, kept as they are said back, changed in place and deleted', async () => {
      expect(await mirrorInboundLines([line], [region])).toEqual({ changed: 1, deleted: 0, refused: [] });
      const made = await kept();
      expect(made.trunks).toMatchObject([{ numbers: [line.number], authUsername: 'trunk' }]);
      expect(made.rules).toMatchObject([{ trunkIds: [made.trunks[0]?.sipTrunkId], hidePhoneNumber: true }]);
      // What LiveKit says back is what it was told: else every round would change everything.
      expect(await mirrorInboundLines([line], [region])).toEqual({ changed: 0, deleted: 0, refused: [] });

      const changed: InboundLine = {
        ...{ ...withoutAuth, mediaEncryption: 'disable', headersToAttributes: {}, allowedNumbers: [], hasAgent: false },
        room: { type: 'static', name: 'lobby', pin: '' },
      };
      expect(await mirrorInboundLines([changed], [region])).toMatchObject({ changed: 1 });
      const after = await kept();
      expect(after.trunks).toMatchObject([{ sipTrunkId: made.trunks[0]?.sipTrunkId, authUsername: '' }]);
      expect(after.rules[0]?.rule?.rule).toMatchObject({ case: 'dispatchRuleDirect', value: { roomName: 'lobby' } });
      expect(await mirrorInboundLines([changed], [region])).toMatchObject({ changed: 0 });

      expect(await mirrorInboundLines([], [region])).toMatchObject({ deleted: 2 });
      expect(await kept()).toEqual({ trunks: [], rules: [] });
    });

    test('of others are left alone, and keep a number from being taken', async () => {
      const sip = new SipClient(region.url, region.apiKey, region.apiSecret);
      const theirs = await sip.createSipInboundTrunk('Reception', [line.number]);
      const { refused } = await mirrorInboundLines([{ ...line, allowedNumbers: [] }], [region]);
      expect(refused).toMatchObject([{ number: line.number }]);
      expect((await kept()).trunks).toMatchObject([{ sipTrunkId: theirs.sipTrunkId, name: 'Reception' }]);
      await sip.deleteSipTrunk(theirs.sipTrunkId);
    });
  },
);

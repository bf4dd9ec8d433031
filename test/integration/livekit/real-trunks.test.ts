import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { SipClient } from 'livekit-server-sdk';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { InboundLine } from '../../../domain/call/inbound-line.js';
import { type Child, startChild } from '../../../embedded/child.js';
import { freePort } from '../../../embedded/free-port.js';
import { temporaryFolder } from '../../../embedded/temporary-folder.js';
import { mirrorInboundLines } from '../../../telephony/livekit/inbound-mirror.js';
import type { LiveKitRegion } from '../../../telephony/livekit/regions.js';

/** A program by its variable, else from the PATH; undefined where there is none. */
function findProgram(variable: string, name: string): string | undefined {
  const named = process.env[variable];
  if (named !== undefined && named !== '') return named;
  try {
    return execFileSync('which', [name], { encoding: 'utf8' }).trim();
  } catch {
    return undefined; // not installed is an answer
  }
}
const server = findProgram('LIVEKIT_SERVER_BIN', 'livekit-server');
const redis = findProgram('REDIS_SERVER_BIN', 'redis-server');

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
    const children: Child[] = [];
    let region: LiveKitRegion;

    beforeAll(async () => {
      const [port, tcp, udp, redisPort] = await Promise.all([freePort(), freePort(), freePort(), freePort()]);
      const folder = temporaryFolder('livekit-trunks');
      region = { name: 'default', url: `http://127.0.0.1:${port}`, apiKey: 'APItest', apiSecret: 'x'.repeat(40) };
      const config = join(folder, 'livekit.json');
      writeFileSync(
        config,
        JSON.stringify({
          ...{ port, bind_addresses: ['127.0.0.1'], keys: { [region.apiKey]: region.apiSecret } },
          redis: { address: `127.0.0.1:${redisPort}` },
          rtc: {
            ...{ tcp_port: tcp, udp_port: udp, node_ip: '127.0.0.1', use_external_ip: false },
            ...{ interfaces: { includes: ['lo'] }, enable_loopback_candidate: true },
          },
        }),
      );
      const args = ['--port', String(redisPort), '--bind', '127.0.0.1', '--save', '', '--dir', folder];
      children.push(await startChild({ command: redis ?? '', args, logFile: join(folder, 'redis.log') }));
      // It gives up where redis does not answer yet.
      await vi.waitFor(
        async () => {
          const child = await startChild({
            command: server ?? '',
            args: ['--config', config],
            logFile: join(folder, 'livekit.log'),
          });
          children.push(child);
          await vi.waitFor(() => fetch(region.url), { timeout: 5_000, interval: 50 });
        },
        { timeout: 30_000 },
      );
    });
    afterAll(async () => {
      for (const child of children.reverse()) {
        try {
          process.kill(child.pid, 'SIGKILL');
        } catch {
          // it has ended by itself
        }
        await child.exited;
      }
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

import { onTestFailed, type TestContext } from 'vitest';
import { type LiveKitServer, startLiveKitServer } from '../setup/livekit-server.js';
import { type LiveKitSip, type LiveKitSipOptions, startLiveKitSip } from '../setup/livekit-sip.js';
import { type Redis, startRedis } from '../setup/redis.js';
import { keepLogs } from './logs.js';
import { program } from './programs.js';

/** A real LiveKit with its SIP on loopback. */
export interface TelephonyStack {
  readonly liveKit: LiveKitServer;
  readonly sip: LiveKitSip;
  readonly redis: Redis;
  /**
   * `beforeEach((context) => stack.tellLogsOnFailure(context))`, or in a test: one that fails says where the logs of all parts are kept, the carriers' and callers' too.
   */
  tellLogsOnFailure(context?: Pick<TestContext, 'onTestFailed'>): void;
  close(): Promise<void>;
}

/**
 * Starts redis, livekit-server and livekit-sip; about two seconds. Needs `canCall` (programs.ts). The carrier that it dials,
 * and the caller that dials it, are beside this file: carrier.ts, caller.ts.
 *
 * @param webhookUrls where LiveKit posts its webhooks
 */
export async function startTelephony(
  webhookUrls: readonly string[] = [],
  options: LiveKitSipOptions = {},
): Promise<TelephonyStack> {
  const redis = await startRedis(program('REDIS_SERVER_BIN'));
  const liveKit = await startLiveKitServer(program('LIVEKIT_SERVER_BIN'), webhookUrls, {
    ...{ redis: redis.address, departureTimeout: 5 },
  });
  const sip = await startLiveKitSip(program('LIVEKIT_SIP_BIN'), liveKit, redis, options);
  return {
    ...{ liveKit, sip, redis },
    tellLogsOnFailure(context = { onTestFailed }) {
      context.onTestFailed(() => {
        process.stderr.write(`The logs of this call are in ${keepLogs(liveKit.logFile, sip.logFile)}\n`);
      });
    },
    async close() {
      await sip.close();
      await liveKit.close();
      await redis.close();
    },
  };
}

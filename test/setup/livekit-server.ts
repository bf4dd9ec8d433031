import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { vi } from 'vitest';
import { type Child, startChild } from '../../embedded/child.js';
import { freePort, reservedPort } from '../../embedded/free-port.js';
import { temporaryFolder } from '../../embedded/temporary-folder.js';
import { findProgram } from './program.js';
import { soon } from './soon.js';

/** The real server's program: LIVEKIT_SERVER_BIN, else from the PATH; undefined if there is none. */
export const findLiveKitServer = (): string | undefined => findProgram('LIVEKIT_SERVER_BIN', 'livekit-server');

export interface LiveKitServer {
  readonly url: string;
  readonly apiKey: string;
  readonly apiSecret: string;
  readonly logFile: string;
  /** Ends it without a word (SIGKILL); resolves when it is gone. */
  kill(): Promise<void>;
  /** Starts it again where it was. */
  restart(): Promise<void>;
  close(): Promise<void>;
}

export interface LiveKitServerOptions {
  /** `host:port` of the redis that it shares with a LiveKit SIP; left out: it has no SIP. */
  readonly redis?: string;
  /** Seconds that a room outlives its last participant. */
  readonly departureTimeout?: number;
}

/**
 * A real LiveKit on loopback.
 *
 * @param webhookUrls where it posts its webhooks
 */
export async function startLiveKitServer(
  program: string,
  webhookUrls: readonly string[] = [],
  { redis, departureTimeout }: LiveKitServerOptions = {},
): Promise<LiveKitServer> {
  const [port, tcp, udp] = await Promise.all([reservedPort(), reservedPort(), freePort()]);
  const folder = temporaryFolder('livekit');
  const [apiKey, apiSecret, url] = ['APItest', 'x'.repeat(40), `http://127.0.0.1:${port}`];
  const config = join(folder, 'livekit.json');
  writeFileSync(
    config,
    // JSON is YAML.
    JSON.stringify({
      ...{ port, bind_addresses: ['127.0.0.1'], keys: { [apiKey]: apiSecret } },
      rtc: {
        ...{ tcp_port: tcp, udp_port: udp, node_ip: '127.0.0.1', use_external_ip: false },
        ...{ interfaces: { includes: ['lo'] }, enable_loopback_candidate: true },
      },
      ...(redis === undefined ? {} : { redis: { address: redis } }),
      ...(departureTimeout === undefined ? {} : { room: { departure_timeout: departureTimeout } }),
      ...(webhookUrls.length === 0 ? {} : { webhook: { api_key: apiKey, urls: webhookUrls } }),
    }),
  );
  const logFile = join(folder, 'livekit.log');
  let child: Child;
  const start = async (): Promise<void> => {
    child = await startChild({ command: program, args: ['--config', config], logFile });
    await vi.waitFor(() => fetch(url), soon);
  };
  const kill = async (): Promise<void> => {
    if (!child.isOver()) process.kill(child.pid, 'SIGKILL');
    await child.exited;
  };
  await start();
  return { ...{ url, apiKey, apiSecret, logFile, kill }, restart: start, close: kill };
}

import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { vi } from 'vitest';
import { startChild } from '../../embedded/child.js';
import { freePort } from '../../embedded/free-port.js';
import { temporaryFolder } from '../../embedded/temporary-folder.js';

/** The real server's program: LIVEKIT_SERVER_BIN, else from the PATH; undefined where there is none. */
export function findLiveKitServer(): string | undefined {
  const named = process.env.LIVEKIT_SERVER_BIN;
  if (named !== undefined && named !== '') return named;
  try {
    return execFileSync('which', ['livekit-server'], { encoding: 'utf8' }).trim();
  } catch {
    return undefined; // not installed is an answer
  }
}

export interface LiveKitServer {
  readonly url: string;
  readonly apiKey: string;
  readonly apiSecret: string;
  close(): Promise<void>;
}

/** A real LiveKit on loopback, without SIP. */
export async function startLiveKitServer(program: string): Promise<LiveKitServer> {
  const [port, tcp, udp] = await Promise.all([freePort(), freePort(), freePort()]);
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
    }),
  );
  const child = await startChild({ command: program, args: ['--config', config], logFile: join(folder, 'log') });
  await vi.waitFor(() => fetch(url), { timeout: 20_000, interval: 50 });
  return {
    ...{ url, apiKey, apiSecret },
    async close() {
      process.kill(child.pid, 'SIGKILL');
      await child.exited;
    },
  };
}

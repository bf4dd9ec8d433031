import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { vi } from 'vitest';
import { type Child, startChild } from '../../embedded/child.js';
import { freePort, reservedPort } from '../../embedded/free-port.js';
import { temporaryFolder } from '../../embedded/temporary-folder.js';
import type { LiveKitServer } from './livekit-server.js';
import { findProgram } from './program.js';
import type { Redis } from './redis.js';
import { soon } from './soon.js';

/** LIVEKIT_SIP_BIN, else from the PATH; undefined if there is none. */
export const findLiveKitSip = (): string | undefined => findProgram('LIVEKIT_SIP_BIN', 'livekit-sip');

export interface LiveKitSip {
  /** Where it takes calls, UDP and TCP. */
  readonly sipPort: number;
  readonly logFile: string;
  kill(): Promise<void>;
  restart(): Promise<void>;
  close(): Promise<void>;
}

export interface LiveKitSipOptions {
  /** Share of the CPU above which it takes no call; 1: always takes it, as a small machine needs. */
  readonly maxCpu?: number;
  /** PEM file of certificates that it trusts beside none: what signs a carrier's. */
  readonly trusts?: string;
}

const portsOfAudio = 600;

/** A real LiveKit SIP on loopback that serves a LiveKit server, which shares its redis. */
export async function startLiveKitSip(
  program: string,
  { url, apiKey, apiSecret }: LiveKitServer,
  redis: Redis,
  { maxCpu = 1, trusts }: LiveKitSipOptions = {},
): Promise<LiveKitSip> {
  const [sipPort, health, firstRtp] = await Promise.all([freePort(), reservedPort(), freePort()]);
  const folder = temporaryFolder('livekit-sip');
  const [config, logFile] = [join(folder, 'sip.json'), join(folder, 'livekit-sip.log')];
  writeFileSync(
    config,
    // JSON is YAML.
    JSON.stringify({
      ...{ api_key: apiKey, api_secret: apiSecret, ws_url: url.replace('http', 'ws') },
      redis: { address: redis.address },
      ...{ sip_port: sipPort, health_port: health, rtp_port: `${firstRtp}-${firstRtp + portsOfAudio}` },
      ...{ listen_ip: '127.0.0.1', nat_1_to_1_ip: '127.0.0.1', local_net: '127.0.0.0/8', use_external_ip: false },
      ...{ max_cpu_utilization: maxCpu, logging: { level: 'debug' } },
    }),
  );
  const env = { ...process.env, ...(trusts === undefined ? {} : { SSL_CERT_FILE: trusts }) };
  let child: Child;
  const start = async (): Promise<void> => {
    child = await startChild({ command: program, args: ['--config', config], env, logFile });
    await vi.waitFor(() => fetch(`http://127.0.0.1:${health}/`), soon);
  };
  const kill = async (): Promise<void> => {
    if (!child.isOver()) process.kill(child.pid, 'SIGKILL');
    await child.exited;
  };
  await start();
  return { ...{ sipPort, logFile, kill }, restart: start, close: kill };
}

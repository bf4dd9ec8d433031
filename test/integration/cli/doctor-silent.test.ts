import { rmSync } from 'node:fs';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { allFindings } from '../../../cli/doctor/run.js';
import { temporaryFolder } from '../../../embedded/temporary-folder.js';

const before = { folder: process.cwd(), env: { ...process.env } };
let root: string;
let servers: Server[] = [];

beforeEach(() => {
  root = temporaryFolder('doctor-silent');
  process.chdir(root);
});

afterEach(() => {
  process.chdir(before.folder);
  process.env = { ...before.env };
  for (const server of servers) server.close();
  servers = [];
  rmSync(root, { recursive: true, force: true });
});

/** Parts that take connections and say nothing until each has been asked; then they hang up. @returns their ports */
async function silentUntilAllAreAsked(count: number): Promise<number[]> {
  const asked = new Set<number>();
  const held = new Set<Socket>();
  return Promise.all(
    Array.from({ length: count }, async (_, part) => {
      const server = createServer((socket) => {
        asked.add(part);
        held.add(socket.on('error', () => undefined));
        if (asked.size === count) for (const each of held) each.destroy();
      });
      servers.push(server);
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      return (server.address() as AddressInfo).port;
    }),
  );
}

test('`outdial doctor` asks all parts at once, and names each that does not answer, with its remedy and no secret', async () => {
  const [database, temporal, liveKit, service] = await silentUntilAllAreAsked(4);
  Object.assign(process.env, {
    ...{ XDG_STATE_HOME: join(root, 'state'), XDG_CONFIG_HOME: join(root, 'config') },
    OUTDIAL_DATABASE_URL: `postgres://outdial:secret-a@127.0.0.1:${database}/outdial`,
    OUTDIAL_ENCRYPTION_KEYS: `local:${Buffer.alloc(32, 1).toString('base64')}`,
    ...{ TEMPORAL_ADDRESS: `127.0.0.1:${temporal}`, OUTDIAL_PROVIDER: 'livekit' },
    ...{ OUTDIAL_LIVEKIT_URL: `ws://127.0.0.1:${liveKit}`, OUTDIAL_LIVEKIT_API_KEY: 'key' },
    ...{
      OUTDIAL_LIVEKIT_API_SECRET: 'secret-b',
      OUTDIAL_URL: `http://127.0.0.1:${service}`,
      OUTDIAL_TOKEN: 'secret-c',
    },
  });
  const findings = await allFindings({ numbers: 1, seconds: 1 });
  const failed = findings.filter(({ state }) => state === 'failed');
  expect(failed.map(({ check }) => check)).toEqual(['PostgreSQL', 'Temporal', 'LiveKit of default', 'service']);
  // Those that were asked one after the other would have been given up by the time that the last one is asked.
  for (const { message } of failed) expect(message).not.toMatch(/within|in time/);
  for (const finding of failed) expect(finding).toMatchObject({ remedy: expect.any(String) });
  expect(JSON.stringify(findings)).not.toMatch(/secret-[abc]/);
}, 300_000);

import { createServer, type Server } from 'node:http';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { embeddedPostgresUrl } from '../../../embedded/postgres.js';
import { setUp } from '../running-service.js';
import { sharedService, type SharedService } from '../shared-service.js';
import { type User, userBeside } from './support.js';

let service: SharedService;
let user: User;

beforeAll(async () => {
  service = await sharedService('Doctor');
  user = userBeside(service);
});

afterAll(() => {
  rmSync(user.folder, { recursive: true, force: true });
});

interface Finding {
  readonly check: string;
  readonly state: string;
  readonly message: string;
  readonly remedy?: string;
}

async function examined(
  env: Readonly<Record<string, string>> = {},
): Promise<{ code: number; findings: Finding[]; text: string }> {
  const { code, stdout, stderr } = await user.outdial(['doctor', '-o', 'json'], { env });
  return { code, findings: JSON.parse(stdout) as Finding[], text: `${stdout}${stderr}` };
}

const stateOf = (findings: readonly Finding[], check: string): Finding | undefined =>
  findings.find((finding) => finding.check === check);

test('beside a healthy `up`, every check passes but the trunk that is not there yet', async () => {
  const { code, findings } = await examined();
  expect(code).toBe(0);
  expect(findings.filter(({ state }) => state === 'failed')).toEqual([]);
  expect(findings.map(({ check }) => check)).toEqual(
    expect.arrayContaining([
      'settings',
      'PostgreSQL',
      'migrations',
      'time zones',
      'dialers',
      'Temporal',
      'workers',
      'service',
      'clocks',
      'token',
    ]),
  );
  expect(stateOf(findings, 'trunks')).toMatchObject({
    state: 'warning',
    remedy: expect.stringContaining('POST /v2/sip/phone-numbers'),
  });
  await setUp(service, '+15550100002');
  const { findings: later } = await examined();
  expect(stateOf(later, 'trunk Line +15550100002')).toMatchObject({ state: 'ok' });
  expect(stateOf(findings, 'capacity')).toBeUndefined();
  expect(stateOf(later, 'capacity')).toMatchObject({
    message: expect.stringMatching(/50 a second, agents are simulated: .* 10,000 numbers of 60 s take about /),
    figures: { gateways: 1, byAgents: null, callsPerSecond: 50 },
  });
  const { stdout } = await user.outdial(['doctor', '--numbers', '500', '--seconds', '30']);
  expect(stdout).toContain('500 numbers of 30 s take about ');
});

test('what does not answer fails with its remedy and exit code 1, and no secret of the settings is printed', async () => {
  const env = {
    OUTDIAL_DATABASE_URL: 'postgres://outdial:secret-a@127.0.0.1:9/outdial',
    TEMPORAL_ADDRESS: '127.0.0.1:9',
    ...{
      OUTDIAL_LIVEKIT_URL: 'http://127.0.0.1:9',
      OUTDIAL_LIVEKIT_API_KEY: 'key',
      OUTDIAL_LIVEKIT_API_SECRET: 'secret-b',
    },
    ...{ OUTDIAL_URL: 'http://127.0.0.1:9', OUTDIAL_TOKEN: 'secret-c', OUTDIAL_ENCRYPTION_KEYS: 'secret-d' },
    OUTDIAL_REGION: 'eu',
  };
  const { code, findings, text } = await examined(env);
  expect(code).toBe(1);
  for (const check of ['PostgreSQL', 'Temporal', 'LiveKit of default', 'service']) {
    expect(stateOf(findings, check)).toMatchObject({ state: 'failed', remedy: expect.any(String) });
  }
  expect(stateOf(findings, 'encryption keys')).toMatchObject({ state: 'failed' });
  expect(stateOf(findings, 'settings')?.message).toContain('Is OUTDIAL_REGIONS meant?');
  expect(text).not.toMatch(/secret-[abcd]/);
});

test('a database without the schema of this version is told to migrate', async () => {
  const { postgresPort } = service.ready() as unknown as { postgresPort: number };
  const url = new URL(embeddedPostgresUrl(join(service.folder, 'postgres'), postgresPort));
  url.pathname = '/postgres';
  const { code, findings } = await examined({ OUTDIAL_DATABASE_URL: url.href });
  expect(code).toBe(1);
  expect(stateOf(findings, 'PostgreSQL')).toMatchObject({ state: 'ok' });
  expect(stateOf(findings, 'migrations')).toMatchObject({
    state: 'failed',
    remedy: expect.stringContaining('outdial migrate'),
  });
});

test('a service that is not ready, or whose clock is wrong, is named with what to do', async () => {
  const server: Server = createServer((_request, response) => {
    response.writeHead(503, { 'content-type': 'application/json', date: new Date(Date.now() - 90_000).toUTCString() });
    response.end('{"status":"not ready","checks":{"postgres":true,"migrations":true,"temporal":false}}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  try {
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    const { code, findings } = await examined({ OUTDIAL_URL: `http://127.0.0.1:${port}`, OUTDIAL_TOKEN: 'x' });
    expect(code).toBe(1);
    expect(stateOf(findings, 'its temporal')).toMatchObject({
      state: 'failed',
      remedy: expect.stringContaining('TEMPORAL_ADDRESS'),
    });
    expect(stateOf(findings, 'clocks')).toMatchObject({ state: 'failed', message: expect.stringMatching(/8\d|9\d/) });
  } finally {
    server.close();
  }
});

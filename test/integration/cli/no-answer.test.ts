import { readFileSync } from 'node:fs';
import { createServer as createHttpServer } from 'node:http';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import { afterAll, beforeAll, expect, test, type TestContext, vi } from 'vitest';
import { createClient } from '../../../cli/client/client.js';
import { postWebhook } from '../../../cli/client/webhooks/post.js';
import { openTemporal } from '../../../cli/roles/temporal.js';
import { reservedPort } from '../../../embedded/free-port.js';
import { openDatabase } from '../../../db/client.js';
import { readEnv } from '../../../platform/env.js';
import { databasePlace, noDatabaseWords } from '../../../cli/commands/database-words.js';
import { certificateFor, openssl } from '../../telephony/certificate.js';
import { outdialHere } from './commands.js';

/*
 * What commands say if PostgreSQL, Temporal, LiveKit or the service does not answer: each against a port that is closed, silent, speaks
 * something else, or is behind a certificate that nobody knows, and against a name that does not exist.
 */
const servers: Server[] = [];
const at: Record<string, string> = {};

async function listening(kind: string, server: Server): Promise<void> {
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  at[kind] = `localhost:${(server.address() as AddressInfo).port}`;
}

beforeAll(async () => {
  at.closed = `localhost:${await reservedPort()}`;
  at.unknown = 'nowhere.invalid:7233';
  await listening(
    'silent',
    createServer((socket) => socket.on('error', () => undefined)),
  );
  await listening(
    'curt',
    createServer((socket) => socket.on('error', () => undefined).resetAndDestroy()),
  );
  await listening(
    'web page',
    createHttpServer((_request, response) => response.end('<html>Welcome</html>')),
  );
  if (openssl === undefined) return;
  const { key, certificate } = certificateFor('localhost');
  const pair = { key: readFileSync(key), cert: readFileSync(certificate) };
  await listening(
    'unsigned',
    createTlsServer(pair).on('tlsClientError', () => undefined),
  );
});
afterAll(() => {
  for (const server of servers) server.close();
});

const address = (kind: string): string => at[kind] ?? '';

/** Words of drivers, which tell a person nothing. */
const bare =
  /\bE[A-Z]{5,}\b|UND_ERR|DEADLINE|UNAVAILABLE|SSL routines|tonic|transport::|Unexpected token|SyntaxError|Connection terminated|fetch failed|undefined/;

function expectWords(said: string, words: RegExp): void {
  expect(said).toMatch(words);
  expect(said).not.toMatch(bare);
  expect(said).not.toContain('s3cret');
}

/** Skips what asks a port with a certificate, if there can be none. */
function needs(kind: string, { skip }: TestContext): void {
  if (kind === 'unsigned' && openssl === undefined) skip('no openssl to make a certificate with (OPENSSL_BIN)');
}
const refused = /nothing listens there/;
const nameless = /there is no such name/;
const untrusted = /its certificate is signed by nobody whom this machine trusts/;

test.for<[string, string, RegExp]>([
  ['closed', '', refused],
  ['unknown', '', nameless],
  ['curt', '', /it closes the connection without an answer/],
  ['web page', '', /it closes the connection without an answer/],
  ['unsigned', '?sslmode=verify-full', /it closes the connection without an answer|speak TLS/],
])('a command on a database of which the port is %s says so', async ([kind, query, words], context) => {
  needs(kind, context);
  const url = `postgres://outdial:s3cret@${address(kind)}/outdial${query}`;
  const { code, stdout, stderr } = await outdialHere(['account', 'list'], { OUTDIAL_DATABASE_URL: url });
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
  expectWords(stderr, words);
  expect(stderr).toContain(`PostgreSQL at ${address(kind)} cannot be asked`);
  expect(stderr).toContain('OUTDIAL_DATABASE_URL');
});

test('a database that is silent is given up after ten seconds, which are named', async () => {
  const url = `postgres://outdial:s3cret@${address('silent')}/outdial`;
  const { stderr } = await outdialHere(['account', 'list'], { OUTDIAL_DATABASE_URL: url });
  expectWords(stderr, /it does not answer within 10 s/);
});

const withTls = { TEMPORAL_API_KEY: 's3cret' };
const noTemporal = /what listens there does not answer as Temporal does, or it wants TLS/;

test.for<[string, Record<string, string>, RegExp]>([
  ['closed', {}, refused],
  ['unknown', {}, nameless],
  ['curt', {}, noTemporal],
  ['web page', {}, noTemporal],
  ['web page', withTls, /it does not speak TLS/],
  ['unsigned', {}, noTemporal],
  ['unsigned', withTls, untrusted],
])('a command on a Temporal of which the port is %s says so', async ([kind, settings, words], context) => {
  needs(kind, context);
  const { code, stdout, stderr } = await outdialHere(['worker-version', 'list'], {
    TEMPORAL_ADDRESS: address(kind),
    ...settings,
  });
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
  expectWords(stderr, words);
  expect(stderr).toContain(`Temporal at ${address(kind)} cannot be asked`);
  expect(stderr).toContain('TEMPORAL_ADDRESS');
});

test('a Temporal that is silent is given up after the time that is named', async () => {
  const temporal = openTemporal(readEnv({ TEMPORAL_ADDRESS: address('silent') }));
  const trouble = await temporal.whyNot(1_000);
  await temporal.close();
  expectWords(trouble?.message ?? '', /cannot be asked: it does not answer within 1 s/);
  expect(trouble?.remedy).toContain('TEMPORAL_ADDRESS');
});

test.for<[string, string, number, RegExp]>([
  ['closed', 'http', 6, refused],
  ['unknown', 'http', 6, nameless],
  ['curt', 'http', 6, /it closes the connection without an answer/],
  ['web page', 'http', 1, /is no Outdial/],
  ['web page', 'https', 6, /it does not speak TLS/],
  ['unsigned', 'https', 6, untrusted],
])(
  'a command that asks a service of which the port is %s, by %s, says so and ends with %i',
  async ([kind, scheme, expected, words], context) => {
    needs(kind, context);
    const url = `${scheme}://${address(kind)}`;
    const { code, stdout, stderr } = await outdialHere(['batch', 'list'], {
      OUTDIAL_URL: url,
      OUTDIAL_TOKEN: 's3cret',
    });
    expect({ code, stdout }).toEqual({ code: expected, stdout: '' });
    expectWords(stderr, words);
    expect(stderr).toContain(url);
  },
);

test('a service that is silent is asked once, for as long as is said', async () => {
  let asked = 0;
  const count = (): void => void (asked += 1);
  servers[0]?.on('connection', count);
  const connection = { url: `http://${address('silent')}`, token: () => Promise.resolve('t'), from: 'a test' };
  const client = createClient(connection, { readMs: 1_000, writeMs: 1_000 });
  await expect(client.ask('batchCalls.list')).rejects.toMatchObject({
    exitCode: 6,
    message: `${connection.url} cannot be asked: it does not answer within 1 s.`,
  });
  servers[0]?.off('connection', count);
  expect(asked).toBe(1);
});

test('another service with an API of its own is told apart', async () => {
  await listening(
    'stranger',
    createHttpServer((_request, response) => response.end('{"items":[]}')),
  );
  const settings = { OUTDIAL_URL: `http://${address('stranger')}`, OUTDIAL_TOKEN: 't' };
  const { code, stderr } = await outdialHere(['batch', 'list'], settings);
  expect(code).toBe(1);
  expectWords(stderr, /Is it another version, or no Outdial\?/);
});

test.each([
  ['closed', refused],
  ['unknown', nameless],
  ['silent', /it does not answer in time/],
  ['web page', /what answers there is no LiveKit/],
])('`doctor` says why LiveKit cannot be reached whose port is %s', async (kind, words) => {
  const { stdout, stderr } = await outdialHere(['doctor', '-o', 'json'], {
    OUTDIAL_DATABASE_URL: `postgres://outdial:s3cret@${address('closed')}/outdial`,
    TEMPORAL_ADDRESS: address('closed'),
    OUTDIAL_PROVIDER: 'livekit',
    ...{ OUTDIAL_LIVEKIT_URL: `http://${address(kind)}`, OUTDIAL_LIVEKIT_API_KEY: 'key' },
    ...{
      OUTDIAL_LIVEKIT_API_SECRET: 's3cret'.repeat(8),
      OUTDIAL_URL: `http://${address('closed')}`,
      OUTDIAL_TOKEN: 't',
    },
  });
  const findings = JSON.parse(stdout) as { check: string; state: string; message: string; remedy?: string }[];
  const found = (check: string) => findings.find((finding) => finding.check === check);
  for (const check of ['PostgreSQL', 'Temporal', 'LiveKit of default', 'service']) {
    expect(found(check)).toMatchObject({ state: 'failed', remedy: expect.any(String) });
  }
  expectWords(found('LiveKit of default')?.message ?? '', words);
  expectWords(`${stdout}${stderr}`, refused);
});

test('a receiver of webhooks that is not there is named in words', async () => {
  expect(await postWebhook(`http://${address('closed')}`, {}, '{}')).toMatchObject({ words: 'nothing listens there' });
});

test('a command on a database that failed for want of Temporal does not blame the database', () => {
  const refusedByTemporal = Object.assign(new Error('connect ECONNREFUSED 127.0.0.1:7233'), { code: 'ECONNREFUSED' });
  expect(noDatabaseWords(refusedByTemporal)).toMatch(refused);
  expect(noDatabaseWords(new Error('Temporal cannot be asked.', { cause: refusedByTemporal }))).toBeUndefined();
});

test.each([
  ['postgres://outdial:s3cret@db.example.com/outdial', 'db.example.com:5432'],
  ['postgres://outdial@/outdial?host=/var/run/postgresql', '/var/run/postgresql:5432'],
  ['postgres:///outdial?host=/var/run/postgresql', '/var/run/postgresql:5432'],
  ['/var/run/postgresql outdial', '/var/run/postgresql'],
])('a database may be named as its driver takes it: %s', (url, place) => {
  expect(readEnv({ OUTDIAL_DATABASE_URL: url }).OUTDIAL_DATABASE_URL).toBe(url);
  expect(databasePlace(url)).toBe(place);
});

test('a database that is named by no URL is refused as settings are read', () => {
  expect(() => readEnv({ OUTDIAL_DATABASE_URL: 'db.example.com' })).toThrow('must be a URL such as postgres://');
});

test.each(['require', 'prefer', 'verify-ca', 'verify-full'])(
  'with sslmode=%s the certificate of PostgreSQL is verified, and the driver warns of nothing',
  async (mode) => {
    const warned = vi.spyOn(process, 'emitWarning').mockImplementation(() => undefined);
    const database = openDatabase({
      ...{ url: `postgres://nobody@${address('closed')}/none?sslmode=${mode}`, poolSize: 1, name: 'test' },
    });
    await expect(database.pool.query('select 1')).rejects.toThrow('ECONNREFUSED');
    expect(database.pool.options.connectionString).toContain('sslmode=verify-full');
    expect(warned).not.toHaveBeenCalled();
    warned.mockRestore();
    await database.close();
  },
);

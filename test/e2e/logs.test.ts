import { readdirSync, readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { inDatabase, tablesWith } from './database.js';
import { batchIs, metricsOf, numbersWithScript, runService, type RunningService, until } from './running-service.js';

/** Each of these is in nothing else: a log that has one has what people are called, what they said, or a secret. */
const telltale = {
  name: 'Zoëtelltale',
  city: 'Quillhaven',
  password: 'gatewaypassword-telltale',
  username: 'gatewayuser-telltale',
  hookSecret: 'hooksecret-telltale',
  answer: 'answer-of-an-endpoint-telltale',
  search: 'searched-telltale',
  token: 'odsk_telltale_0123456789',
  refusedAge: 'fortytwo-telltale',
  room: '+15550088666',
};
const listed = '+15550088207';
const single = '+15550088317';
const refusedByTable = '+15550088427';
const ownNumber = '+15550100777';

interface Line {
  readonly level: string;
  readonly role: string;
  readonly msg: string;
  readonly accountId?: string;
  readonly batchId?: string;
  readonly callId?: string;
  readonly attempt?: number;
  readonly invite?: number;
  readonly calls?: number;
  readonly attempts?: readonly { readonly callId: string; readonly attempt: number }[];
  readonly err?: { readonly code?: string; readonly message: string };
  readonly [field: string]: unknown;
}

let service: RunningService;
let endpoint: Server;
let endpointUrl: string;
let accountId: string;
/** By call: its batch, or null for a single one. */
const batchOf = new Map<string, string | null>();
const recordOf = new Map<string, { readonly attempts: number; readonly status: string; readonly reason?: string }>();
const batches: string[] = [];
/** A batch during whose calls nothing died. */
let quiet: string;
const said: string[] = [];
const metrics: [string, string][] = [];
/** Tables of the database in which each was found. */
const tables: Record<'username' | 'password' | 'token', string[]> = { username: [], password: [], token: [] };

const logFolder = () => join(service.folder, 'logs');
/** All that processes have written, by file; PostgreSQL and Temporal, too. */
const written = (): [string, string][] =>
  readdirSync(logFolder()).map((name) => [name, readFileSync(join(logFolder(), name), 'utf8')]);
/** What Temporal keeps: histories, memos, search attributes. */
const kept = (): [string, string][] =>
  ['temporal.db', 'temporal.db-wal'].map((name) => [
    name,
    readFileSync(join(service.folder, 'temporal', name), 'latin1'),
  ]);
const lines = (): Line[] =>
  written()
    .flatMap(([, text]) => text.split('\n'))
    .filter((line) => line.startsWith('{"level"'))
    .map((line) => JSON.parse(line) as Line);

const file = (numbers: readonly string[], age = '44') =>
  ['phone_number,name,city,age', ...numbers.map((number) => `${number},${telltale.name},${telltale.city},${age}`)].join(
    '\n',
  );
const people = {
  own: numbersWithScript(7, 12, 81_000),
  busy: numbersWithScript(1, 6, 82_000),
  skipped: numbersWithScript(7, 2, 83_000),
  quiet: numbersWithScript(1, 4, 84_000),
};

async function batch(numbers: readonly string[], fields: Readonly<Record<string, unknown>> = {}, age?: string) {
  const { status, body } = await service.createBatch(
    { name: `${telltale.name}.csv`, content: file(numbers, age) },
    { name: 'Telltales', phoneNumber: ownNumber, ...fields },
  );
  expect([status, body]).toEqual([201, expect.anything()]);
  batches.push(String(body.batchId));
  return String(body.batchId);
}

beforeAll(async () => {
  endpoint = createServer((request, response) => {
    request.resume();
    request.on('end', () => response.writeHead(500).end(telltale.answer));
  });
  await new Promise<void>((resolve) => endpoint.listen(0, '127.0.0.1', resolve));
  endpointUrl = `http://127.0.0.1:${(endpoint.address() as AddressInfo).port}/${telltale.hookSecret}?key=${telltale.hookSecret}`;
  service = await runService({ speed: 50, env: { OUTDIAL_LOG_LEVEL: 'debug' } });
  await makeTrouble();
  await service.stop();
}, 240_000);
afterAll(() => {
  endpoint.close();
  service.removeData();
});

/** A day on which much goes wrong, with telltales wherever a client may send something. */
async function makeTrouble(): Promise<void> {
  const agent = await service.request('POST', '/v1/agents', {
    name: 'Reminder',
    languages: { english: { prompt: 'Remind {{name}} of their appointment.' } },
  });
  const { agentId } = agent.body;
  await until(async () => (await service.request('GET', `/v1/agents/${String(agentId)}`)).body.status === 'active');
  const auth = { username: telltale.username, password: telltale.password };
  const number = await service.request('POST', '/v2/sip/phone-numbers', {
    ...{ name: 'Line', phoneNumbers: [ownNumber] },
    outbound: { address: 'sip.example.com', transport: 'udp', auth },
  });
  expect(number.status).toBe(201);
  const rule = await service.request('POST', '/v2/sip/routing-rule', {
    ...{ name: 'Out', type: 'outbound', phoneNumbers: [ownNumber], agentId },
  });
  expect(rule.status).toBe(201);
  const hook = await service.request('POST', '/v2/sip/webhooks', {
    url: endpointUrl,
    events: ['call-hangup', 'call-missed'],
  });
  expect(hook.status).toBe(201);
  accountId = String((await service.request('GET', '/v1/account')).body.accountId);

  const preDial = { url: endpointUrl, timeoutMs: 1000, onError: 'dial' };
  const retry = { retryOn: ['rejected'], retryDelays: [1] };
  const webhook = { endpoint: endpointUrl, events: ['batchcall-started', 'batchcall-completed'] };
  const main = await batch([...people.own, ...people.busy], { retry, preDial, webhook });
  expect((await service.request('POST', '/v1/do-not-call', { phoneNumbers: [listed] })).status).toBeLessThan(300);
  // In the middle of calls: their legs are asked about, and taken over.
  await until(async () => (await service.stats()).live > 0);
  service.signal('carrier', 'SIGKILL');
  await until(() => lines().some(({ msg }) => msg.startsWith('the answer of the provider to a dial was lost')));
  service.signal('dialer', 'SIGKILL');
  await batchIs(service, main, 'completed');
  await batchIs(service, await batch(people.skipped, { preDial: { ...preDial, onError: 'skip' } }), 'completed');
  await batchIs(service, (quiet = await batch(people.quiet, { retry })), 'completed');

  const alone = await service.request('POST', '/v2/sip/call', {
    ...{ sipCallFrom: ownNumber, sipCallTo: single, metadata: { name: telltale.name } },
    ...{ destinationRoomId: `room-${telltale.room}` },
  });
  const singleId = (alone.body.data as { readonly id: string }).id;
  batchOf.set(singleId, null);
  await until(async () => {
    const call = (await service.request('GET', `/v2/sip/call/${singleId}`)).body.data;
    return (call as { readonly status: string }).status === 'ended';
  });

  await makeDatabaseTrouble();
  await askAwkwardly();
  await readWhatHappened();
  await until(() => lines().some(({ msg, batchId }) => msg === 'a webhook was not taken' && batchId === main));
  for (const role of ['api', 'worker', 'dialer'] as const) metrics.push([role, await metricsOf(service, role)]);
  const secrets = { username: telltale.username, password: telltale.password, token: service.ready().token };
  for (const [of, secret] of Object.entries(secrets))
    tables[of as keyof typeof secrets] = await tablesWith(service, secret);
}

/** PostgreSQL refuses rows, and quotes them: by a rule, and by a value that it cannot read. */
async function makeDatabaseTrouble(): Promise<void> {
  await inDatabase(service, (database) =>
    database.query(
      `alter table calls add constraint telltale check (to_number <> '${refusedByTable}'),
        add constraint numeric_age check (coalesce(metadata ->> 'age', '1')::integer > 0) not valid`,
    ),
  );
  await batchIs(service, await batch([refusedByTable]), 'parse_failed');
  await batchIs(service, await batch(people.own.slice(0, 2), {}, telltale.refusedAge), 'parse_failed');
  const refused = await service.request('POST', '/v2/sip/call', { sipCallFrom: ownNumber, sipCallTo: refusedByTable });
  expect(refused.status).toBe(500);
}

/** Requests whose addresses, headers and bodies hold what no line may. */
async function askAwkwardly(): Promise<void> {
  const { apiUrl } = service.ready();
  for (const path of [
    `/v1/contacts/${encodeURIComponent(single)}`,
    `/v1/batch-calls/${batches[0]!}/records?search=${telltale.search}`,
    `/v2/sip/call?to=${encodeURIComponent(single)}`,
    `/v1/nothing/${telltale.search}`,
  ]) {
    await service.request('GET', path);
  }
  await service.request('POST', '/v1/batch-calls', { name: telltale.name, phoneNumber: single, file: telltale.city });
  await fetch(`${apiUrl}/v1/account`, { headers: { authorization: telltale.token } });
  await fetch(`${apiUrl}/v1/agents`, { method: 'POST', body: `{"name": ${telltale.name}` });
}

async function readWhatHappened(): Promise<void> {
  for (const batchId of batches) {
    const { body } = await service.request('GET', `/v1/batch-calls/${batchId}/records?perPage=100`);
    for (const record of body.data as { callId: string; attempts: number; status: string; reason?: string }[]) {
      batchOf.set(record.callId, batchId);
      recordOf.set(record.callId, record);
    }
  }
  for (const callId of batchOf.keys()) {
    const call = (await service.request('GET', `/v2/sip/call/${callId}`)).body.data;
    const { transcript = [] } = call as { readonly transcript?: readonly { readonly text: string }[] };
    said.push(...transcript.map(({ text }) => text));
  }
}

test('neither logs nor metrics nor Temporal have what people are called, their numbers, what was said, what clients sent or a secret', () => {
  const words = [...Object.values(telltale), ...said.filter((text) => text.length >= 8)];
  // The transcripts of calls whose dialer died are lost with it.
  expect(said.length).toBeGreaterThan(0);
  const numbers = [...Object.values(people).flat(), listed, single, refusedByTable, ownNumber, telltale.room];
  const told = [...words, ...numbers.flatMap((number) => [number.slice(1), `tel:${number}`])];
  const places = [...written(), ['up', service.said()] as const, ...metrics, ...kept()];
  const found = places.flatMap(([from, text]) =>
    told.filter((word) => text.includes(word)).map((word) => `${from}: ${word}`),
  );
  expect(found).toEqual([]);
  expect(metrics.every(([, text]) => text.includes('outdial_'))).toBe(true);
  expect(kept().some(([, text]) => text.includes(quiet))).toBe(true);
  // All of it happened, and was logged.
  const messages = new Set(lines().map(({ msg }) => msg));
  for (const msg of [
    ...['a webhook was not taken', 'a pre-dial endpoint gave no usable answer'],
    'the answer of the provider to a dial was lost; asking it about the call',
    ...['the dialer takes over live calls of a dialer that is gone', 'a request failed because of an internal error'],
    ...['incoming request', 'request completed'],
  ]) {
    expect(messages).toContain(msg);
  }
  // What PostgreSQL refused is told by the process that asked, with the rule and without the row.
  const codes = lines().flatMap(({ err }) => err?.code ?? []);
  expect(codes).toEqual(expect.arrayContaining(['23514']));
});

test('no row of the database has a token, or a password that is not sealed', () => {
  expect(tables).toEqual({ username: ['public.gateways'], password: [], token: [] });
});

test('each line about a call has its ids as the API shows them', () => {
  const about = lines().filter(({ callId }) => callId !== undefined);
  expect(new Set(about.map(({ role }) => role))).toEqual(new Set(['dialer', 'worker', 'api']));
  const wrong = about.filter(({ role, callId = '', batchId, attempt = 0, ...line }) => {
    const inBatch = batchOf.get(callId);
    if (inBatch === undefined || line.accountId !== accountId) return true;
    if (role === 'dialer' && attempt < 1) return true;
    // Requests about a call name what their address names.
    return role === 'api' ? batchId !== undefined && batchId !== inBatch : (batchId ?? null) !== inBatch;
  });
  expect(wrong).toEqual([]);
});

test('each line of a dialer about several calls counts and names them, with their batches', () => {
  const several = lines().filter(({ role, calls }) => role === 'dialer' && calls !== undefined);
  expect(several.length).toBeGreaterThan(0);
  for (const { calls = 0, attempts = [] } of several) {
    expect(attempts).toHaveLength(Math.min(calls, 20));
    for (const { callId } of attempts) expect(batchOf.has(callId)).toBe(true);
  }
});

test('what became of each call can be read from its lines: claimed, sent, rung, answered, ended', () => {
  const ofDialer = lines().filter(({ role }) => role === 'dialer');
  for (const [callId, record] of recordOf) {
    const ofCall = ofDialer.filter((line) => line.callId === callId);
    const messages = ofCall.map(({ msg }) => msg);
    if (record.reason === 'pre_dial_unanswered') {
      expect(messages).toEqual(['a call ended without being dialed']);
      continue;
    }
    for (const msg of ['an attempt was claimed', 'the INVITE of an attempt is sent']) expect(messages).toContain(msg);
    const ends = ofCall.filter(({ msg }) => msg === 'an attempt ended');
    const numbers = Array.from({ length: record.attempts }, (_, i) => i + 1);
    // A dialer that is killed between the commit of an end and its line leaves none.
    if (batchOf.get(callId) !== quiet) {
      expect(numbers).toEqual(expect.arrayContaining(ends.map(({ attempt }) => attempt)));
      continue;
    }
    expect(ends.map(({ attempt }) => attempt)).toEqual(numbers);
    expect(ends.at(-1)).toMatchObject({ status: record.status });
  }
  // The answer of a call whose dialer died is told with its end.
  const steps = [
    ...['an attempt was claimed', 'the INVITE of an attempt is sent', 'a callee is rung', 'a callee answered'],
    'an attempt ended',
  ];
  const singleSteps = ofDialer.filter(({ callId = '' }) => batchOf.get(callId) === null).map(({ msg }) => msg);
  expect(singleSteps).toEqual(steps);
  expect([...recordOf.values()].filter(({ reason }) => reason === 'pre_dial_unanswered')).toHaveLength(2);
});

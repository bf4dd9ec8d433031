import { execFile } from 'node:child_process';
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { temporaryFolder } from '../../../embedded/temporary-folder.js';
import { csv, numbersWithScript, runService, type RunningService } from '../../../test/e2e/running-service.js';
import { itemsByCursor, itemsByPage, Outdial, OutdialError, verifyWebhook, type WebhookEvent } from '../src/index.js';

let service: RunningService;
let folder: string;
let outdial: Outdial;
const phoneNumber = '+15550100000';

beforeAll(async () => {
  folder = temporaryFolder('client');
  // So few a second that a slow machine, too, is refused some of the requests that are sent at once.
  service = await runService({ speed: 100, env: { OUTDIAL_RATE_LIMIT_PER_SECOND: '10' } });
  const { apiUrl, token } = service.ready();
  const { keyId, secret } = await new Outdial({ url: apiUrl, token }).apiKeys.create({ body: { name: 'Signs' } });
  // It signs all tokens of these tests.
  outdial = new Outdial({ url: apiUrl, key: { id: keyId, secret } });

  const { agentId } = await outdial.agents.create({
    body: { name: 'Reminder', languages: { english: { prompt: 'Remind {{name}} of the appointment.' } } },
  });
  await outdial.phoneNumbers.create({
    body: { name: 'Line', phoneNumbers: [phoneNumber], outbound: { address: 'sip.example.com' } },
  });
  await outdial.routingRules.create({ body: { name: 'Out', type: 'outbound', phoneNumbers: [phoneNumber], agentId } });
});

afterAll(async () => {
  await service.stop();
  service.removeData();
  rmSync(folder, { recursive: true });
});

function fileOf(name: string, content: string): string {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
}

/** A client whose requests go out as `change` says. */
const outdialWith = (
  change: (send: () => Promise<Response>, method: string | undefined) => Promise<Response>,
): Outdial => {
  const { apiUrl: url, token } = service.ready();
  return new Outdial({
    ...{ url, token },
    fetch: (url, init) => change(() => fetch(url, init), init?.method),
  });
};

async function receiver(secret: string) {
  const events: WebhookEvent[] = [];
  const raw: { headers: IncomingHttpHeaders; body: Buffer }[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body = Buffer.concat(chunks);
      raw.push({ headers: request.headers, body });
      events.push(verifyWebhook(request.headers, body, secret));
      response.writeHead(204).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, events, raw, server };
}

test('a batch made from a file is followed to its end, its records are paged through, and its webhooks verify', async () => {
  const { secret } = await outdial.webhookSecret.get();
  const hooks = await receiver(secret);
  const numbers = numbersWithScript(7, 7, 2_000);
  try {
    const fields = {
      name: 'From a file',
      phoneNumber,
      webhook: { endpoint: hooks.url, events: ['batchcall-started' as const, 'batchcall-completed' as const] },
    };
    const path = fileOf('people.csv', csv(numbers));
    const report = await outdial.validateBatchFromFile(path, fields);
    expect(report).toMatchObject({ valid: true, recordsUploaded: 7 });

    const { batchId } = await outdial.createBatchFromFile(path, fields);
    const seen: string[] = [];
    const batch = await outdial.waitForBatch(batchId, {
      intervalSeconds: 0.1,
      onProgress: ({ status }) => seen.push(status),
    });
    expect(batch).toMatchObject({ status: 'completed', progress: 100 });
    expect(seen.at(-1)).toBe('completed');

    const called = [];
    let pages = 0;
    const records = itemsByCursor((at) => {
      pages += 1;
      return outdial.batchCalls.listRecords({ path: { batchId }, query: { ...at, perPage: 2 } });
    });
    for await (const record of records) called.push(record.phoneNumber);
    expect(called).toEqual(numbers);
    expect(pages).toBe(4);
    expect(await outdial.batchCalls.exportRecords({ path: { batchId } })).toContain(numbers[0]);

    await expect.poll(() => hooks.events).toHaveLength(2);
    expect(hooks.events).toMatchObject([{ event: 'batchcall-started' }, { event: 'batchcall-completed', batchId }]);
    const [{ headers, body }] = hooks.raw as [(typeof hooks.raw)[0]];
    expect(() => verifyWebhook(headers, `${body.toString()} `, secret)).toThrow(/signature/);
    expect(() => verifyWebhook({}, body, secret)).toThrow();
  } finally {
    hooks.server.close();
  }
});

test('a list without cursors is gone through page by page, each item once', async () => {
  for (const name of ['A', 'B', 'C']) await outdial.tools.create({ body: aTool(name) });
  const names = [];
  for await (const { name } of itemsByPage((at) => outdial.tools.list({ query: { ...at, perPage: 2 } }))) {
    names.push(name);
  }
  expect(names.sort()).toEqual(['A', 'B', 'C']);
});

test('a stream is uploaded as a file is', async () => {
  const content = new Blob([csv(numbersWithScript(7, 2, 3_000))]).stream() as unknown as AsyncIterable<Uint8Array>;
  const fields = { name: 'From a stream', phoneNumber, open: true };
  const { batchId } = await outdial.createBatchFromFile({ name: 'people.csv', content }, fields);
  await expect
    .poll(async () => (await outdial.batchCalls.get({ path: { batchId } })).recordsUploaded, { timeout: 60_000 })
    .toBe(2);
  await outdial.batchCalls.cancel({ path: { batchId }, body: {} });
});

test('of everything that is wrong with a request, the error has each field with its problem, the status and the request id', async () => {
  const refused = await outdial.batchCalls
    .create({ body: { name: '', phoneNumber: 'twelve', recipients: [], retry: { retryOn: [], retryDelays: [] } } })
    .catch((error: unknown) => error);
  expect(refused).toBeInstanceOf(OutdialError);
  expect(refused).toMatchObject({ status: 400, requestId: expect.stringMatching(/./) });
  const { problems, message } = refused as OutdialError;
  expect(problems.map(({ path }) => path)).toEqual(expect.arrayContaining(['name', 'recipients', 'retry.retryOn']));
  expect(problems.every((each) => each.message !== '' && message.includes(each.message))).toBe(true);

  const config = await outdial.agents
    .create({ body: { name: 'A', languages: { klingon: { prompt: 'x' } } } })
    .catch((error: unknown) => error);
  expect((config as OutdialError).problems).toMatchObject([{ path: 'languages.klingon', code: expect.any(String) }]);

  await expect(outdial.batchCalls.get({ path: { batchId: 'batch_of_another' } })).rejects.toMatchObject({
    ...{ name: 'OutdialError', status: 404, problems: [] },
  });
});

describe('what is tried again', () => {
  test('a batch call whose answer was lost is made once', async () => {
    let lost = 0;
    const name = 'Answer lost';
    const once = outdialWith(async (send, method) => {
      const response = await send();
      if (method !== 'POST' || lost > 0) return response;
      lost += 1;
      throw new TypeError('the connection broke after the request was read');
    });
    const path = fileOf('lost.csv', csv(numbersWithScript(7, 1, 4_000)));
    const { batchId } = await once.createBatchFromFile(path, { name, phoneNumber });
    expect(lost).toBe(1);
    const { data } = await once.batchCalls.list({ query: { search: name } });
    expect(data.map((each) => each.batchId)).toEqual([batchId]);
  });

  test('what has no Idempotency-Key is not sent a second time, and the error says that nothing answered', async () => {
    let sent = 0;
    const cut = outdialWith(async (send) => {
      sent += 1;
      await send();
      throw new TypeError('cut');
    });
    const { toolId } = await outdial.tools.create({ body: aTool('Patched') });
    await expect(cut.tools.update({ path: { toolId }, body: { name: 'Twice' } })).rejects.toMatchObject({
      ...{ name: 'OutdialError', status: 0, cause: { message: 'cut' } },
    });
    expect(sent).toBe(1);
  });

  test('too many requests at once are all answered, after the seconds that the service asks for', async () => {
    let refusals = 0;
    const busy = outdialWith(async (send) => {
      const response = await send();
      if (response.status === 429) refusals += 1;
      return response;
    });
    const answers = await Promise.all(Array.from({ length: 300 }, () => busy.account.get()));
    expect(new Set(answers.map(({ accountId }) => accountId)).size).toBe(1);
    expect(refusals).toBeGreaterThan(0);
  });
});

test('neither a file nor a stream is in memory as a whole while it is sent', async () => {
  const sizeBytes = 200 * 2 ** 20;
  let most = 0;
  const received: number[] = [];
  const server = createServer((request, response) => {
    let bytes = 0;
    request.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      most = Math.max(most, process.memoryUsage().arrayBuffers);
    });
    request.on('end', () => {
      received.push(bytes);
      response.setHeader('content-type', 'application/json').writeHead(201).end('{}');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  async function* content() {
    for (let sent = 0; sent < sizeBytes; sent += 2 ** 16) yield new Uint8Array(2 ** 16);
  }
  const path = fileOf('large.csv', '');
  await promisify(execFile)('truncate', ['--size', String(sizeBytes), path]);
  try {
    const sender = new Outdial({ url, token: 'any' });
    await sender.createKnowledgeBaseFromFile(path);
    await sender.createKnowledgeBaseFromFile({ name: 'large.csv', content: content() });
    expect(received.every((bytes) => bytes > sizeBytes)).toBe(true);
    expect(most).toBeLessThan(sizeBytes / 2);
  } finally {
    server.close();
  }
});

test('what is generated is what docs/openapi.json gives (npm run clients writes it)', async () => {
  const own = join(import.meta.dirname, '../src/generated');
  const fresh = join(folder, 'generated');
  await promisify(execFile)(process.execPath, ['scripts/write-clients.mjs', fresh]);
  const files = (at: string) =>
    readdirSync(at, { recursive: true, encoding: 'utf8', withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => join(parentPath, name).slice(at.length))
      .sort();
  expect(files(own)).toEqual(files(fresh));
  const differing = files(fresh).filter(
    (file) => readFileSync(own + file, 'utf8') !== readFileSync(fresh + file, 'utf8'),
  );
  expect(differing).toEqual([]);
});

test('the package takes the versions that it is tested with', () => {
  const dependenciesOf = (path: string) =>
    (JSON.parse(readFileSync(path, 'utf8')) as { dependencies: Record<string, string> }).dependencies;
  expect(dependenciesOf('package.json')).toMatchObject(dependenciesOf('clients/typescript/package.json'));
});

const aTool = (name: string) => ({
  name,
  description: 'Looks up an appointment.',
  url: 'https://tools.example.com/appointments',
});

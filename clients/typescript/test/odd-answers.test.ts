import { rmSync } from 'node:fs';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { Webhook } from 'standardwebhooks';
import { afterEach, describe, expect, test } from 'vitest';
import { temporaryFolder } from '../../../embedded/temporary-folder.js';
import { Outdial, verifyWebhook } from '../src/index.js';

const servers: Server[] = [];

afterEach(() => {
  for (const server of servers.splice(0)) server.close().closeAllConnections();
});

type Answer = RequestListener;

const json =
  (body: object, status = 200): Answer =>
  (_, response) =>
    void response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));

/** As a proxy answers for a service that is away. */
const badGateway: Answer = (_, response) =>
  void response.writeHead(502, { 'content-type': 'text/html' }).end('<h1>Bad Gateway</h1>');

/** Begins a whole answer and loses the connection in the middle of it. */
const breaksOff: Answer = (_, response) => {
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': 1_000 }).write('{"name":');
  response.socket?.destroySoon();
};

/** A server that answers one after the other, the last of them for good. */
async function answering(...answers: Answer[]) {
  const asked: (string | undefined)[] = [];
  const server = createServer((request, response) => {
    const answer = answers[Math.min(asked.length, answers.length - 1)];
    asked.push(request.method);
    request.resume().once('end', () => answer?.(request, response));
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked };
}

const batch = (status: string) => ({ batchId: 'batch_1', status });
const patient = { intervalSeconds: 0.01 };

describe('waiting for a batch', () => {
  test('goes on while the service is away for longer than a request is tried, and ends with the batch', async () => {
    const { url } = await answering(
      json(batch('running')),
      ...[badGateway, breaksOff, json({ error: 'starting' }, 503)],
      json(batch('completed')),
    );
    const outdial = new Outdial({ url, token: 'any', retries: 0 });
    expect(await outdial.waitForBatch('batch_1', patient)).toMatchObject({ status: 'completed' });
  });

  test('gives up a service that is away for longer than it may be, one that has never answered, and one that refuses', async () => {
    const { url } = await answering(json(batch('running')), badGateway);
    const outdial = new Outdial({ url, token: 'any', retries: 0 });
    await expect(outdial.waitForBatch('batch_1', { ...patient, longestAwaySeconds: 0.05 })).rejects.toMatchObject({
      status: 502,
    });
    const never = new Outdial({ url: (await answering(badGateway)).url, token: 'any', retries: 0 });
    await expect(never.waitForBatch('batch_1', patient)).rejects.toMatchObject({ status: 502 });
    const refusing = await answering(json(batch('running')), json({ message: 'The API token is not valid.' }, 401));
    const revoked = new Outdial({ url: refusing.url, token: 'any', retries: 0 });
    await expect(revoked.waitForBatch('batch_1', patient)).rejects.toMatchObject({ status: 401 });
  });
});

test('a read whose answer breaks off, or that a proxy answers for the service, is tried again; a change is not', async () => {
  const { url, asked } = await answering(breaksOff, badGateway, json({ name: 'Mine' }));
  expect(await new Outdial({ url, token: 'any' }).account.get()).toEqual({ name: 'Mine' });
  expect(asked).toHaveLength(3);

  const changing = await answering(breaksOff, json({}));
  const change = new Outdial({ url: changing.url, token: 'any' }).tools.update({ path: { toolId: 't' }, body: {} });
  await expect(change).rejects.toMatchObject({ name: 'OutdialError', status: 0 });
  expect(changing.asked).toEqual(['PATCH']);
});

test('an address of something else is said to be none of Outdial, and one that cannot be asked is refused at once', async () => {
  const page: Answer = (_, response) => void response.writeHead(200, { 'content-type': 'text/html' }).end('<p>Hi');
  const { url } = await answering(page);
  await expect(new Outdial({ url, token: 'any' }).account.get()).rejects.toThrow(/is no Outdial\. Check the address/);
  for (const wrong of ['127.0.0.1:8080', 'localhost:8080', '', 'https://']) {
    expect(() => new Outdial({ url: wrong, token: 'any' })).toThrow(/^url: must be an address such as/);
  }
});

test('what the caller gives up throws what the caller gives as the reason, also of an upload and while it waits', async () => {
  const { url } = await answering(() => undefined);
  const outdial = new Outdial({ url, token: 'any' });
  let waited: Promise<unknown> | undefined;
  const given = new AbortController();
  const asked = outdial.account.get({ signal: given.signal });
  const sent = outdial.createBatchFromFile(
    new File(['phone_number\n'], 'people.csv'),
    { name: 'A', phoneNumber: '+12025550199' },
    { signal: given.signal },
  );
  const running = new Outdial({ url: (await answering(json(batch('running')))).url, token: 'any' });
  const seen = new Promise<void>((resolve) => {
    const options = { intervalSeconds: 60, signal: given.signal, onProgress: () => resolve() };
    waited = running.waitForBatch('batch_1', options);
  });
  await seen;
  given.abort(new Error('the window was closed'));
  await expect(waited).rejects.toThrow('the window was closed');
  await expect(asked).rejects.toThrow('the window was closed');
  await expect(sent).rejects.toThrow('the window was closed');
});

test('a file that cannot be sent is named at once, and nothing is asked', async () => {
  const { url, asked } = await answering(json({}));
  const outdial = new Outdial({ url, token: 'any' });
  const folder = temporaryFolder('odd-answers');
  const missing = join(folder, 'missing.csv');
  try {
    await expect(outdial.addToDoNotCallFromFile(missing)).rejects.toThrow(`ENOENT: no such file or directory`);
    await expect(outdial.addToDoNotCallFromFile(missing)).rejects.toThrow(missing);
    await expect(outdial.addToDoNotCallFromFile(folder)).rejects.toThrow(`${folder} is no file.`);
  } finally {
    rmSync(folder, { recursive: true });
  }
  expect(asked).toEqual([]);
});

test('the headers of a webhook are found in whichever case a platform has them', () => {
  const secret = `whsec_${Buffer.from('a secret of twenty-four').toString('base64')}`;
  const body = '{"event":"batchcall-completed"}';
  const at = new Date();
  const headers = {
    'Webhook-Id': 'whd_1',
    'WEBHOOK-TIMESTAMP': String(Math.floor(at.getTime() / 1000)),
    'webhook-signature': new Webhook(secret).sign('whd_1', at, body),
  };
  expect(verifyWebhook(headers, body, secret)).toEqual(JSON.parse(body));
});

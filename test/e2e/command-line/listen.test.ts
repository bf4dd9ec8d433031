import { rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { numbersWithScript, type ReceivedWebhook, setUp, until, webhookReceiver } from '../running-service.js';
import { sharedService, type SharedService } from '../shared-service.js';
import { type User, userBeside } from './support.js';

let service: SharedService;
let user: User;
let receiver: Awaited<ReturnType<typeof webhookReceiver>>;
const from = '+15550100003';

beforeAll(async () => {
  service = await sharedService('Listens');
  user = userBeside(service);
  receiver = await webhookReceiver(service);
  await setUp(service, from);
  // An address of the company, which a laptop is not.
  const webhook = { url: 'http://127.0.0.1:9/hook', events: ['call-started', 'call-answered', 'call-hangup'] };
  expect((await service.request('POST', '/v2/sip/webhooks', webhook)).status).toBe(201);
});

afterAll(async () => {
  receiver.close();
  rmSync(user.folder, { recursive: true, force: true });
});

async function aCall(place: number): Promise<void> {
  const [to = ''] = numbersWithScript(0, 1, place);
  const { code } = await user.outdial(['call', 'make', to, '--from', from, '--wait', '-q']);
  expect(code).toBe(0);
}

const eventsOf = (received: readonly ReceivedWebhook[]): unknown[] =>
  received.map(({ body }) => body.webhookType).sort();
const ofOneCall = ['call-answered', 'call-hangup', 'call-started'];

test('what webhooks are told comes to this machine, signed, from where it left off, and nothing comes twice', async () => {
  const words = ['listen', '--forward-to', receiver.url];
  const first = user.started(words);
  await until(() => first.printed().includes('Posting the webhooks'));
  await aCall(600);
  await until(() => receiver.received.length === 3);
  expect(eventsOf(receiver.received)).toEqual(ofOneCall);
  await until(() => /call-hangup +whd_\S+ 204/.test(first.printed()));
  await first.end();

  await aCall(601);
  const second = user.started(words);
  await until(() => receiver.received.length === 6);
  await until(() => second.printed().includes('from where it left off'));
  expect(eventsOf(receiver.received.slice(3))).toEqual(ofOneCall);
  expect(new Set(receiver.received.map(({ id }) => id)).size).toBe(6);

  const triggered = await user.outdial(['trigger', 'batchcall-completed']);
  expect(triggered).toMatchObject({ code: 0, stdout: expect.stringContaining(receiver.url) });
  await second.end();
});

test('while the local server is away, webhooks wait for it; what it answers is shown', async () => {
  const away = createServer();
  await new Promise<void>((resolve) => away.listen(0, '127.0.0.1', resolve));
  const address = away.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  await new Promise((resolve) => away.close(resolve));
  const listening = user.started(['listen', '--forward-to', `http://127.0.0.1:${port}`, '--events', 'call-answered']);
  await until(() => listening.printed().includes('Posting the webhooks'));
  await aCall(602);
  await until(() => listening.printed().includes('does not answer'));
  const ids: unknown[] = [];
  const back = createServer((request, response) => {
    ids.push(request.headers['webhook-id']);
    response.writeHead(500).end('no handler for this');
  });
  await new Promise<void>((resolve) => back.listen(port, '127.0.0.1', resolve));
  await until(() => listening.printed().includes('no handler for this'));
  expect(listening.printed()).toMatch(/call-answered +whd_\S+ 500 \d+ ms no handler/);
  expect(ids).toHaveLength(1);
  await listening.end();
  back.close();
});

test('an event that there is not is refused at once, with those that there are', async () => {
  const words = ['listen', '--forward-to', receiver.url, '--events', 'call-answered,call-anwsered'];
  const { code, stderr } = await user.outdial(words);
  expect(code).toBe(2);
  expect(stderr).toMatch(/There is no event call-anwsered\. There are: .*call-answered/);
});

test('a token that only reads is refused, because the signatures are those of the service', async () => {
  const { body } = await service.request('POST', '/v1/account/keys', { name: 'reader', permissions: ['read'] });
  const words = ['login', '--url', service.ready().apiUrl, '--profile', 'reader', '--key', String(body.keyId)];
  expect(await user.outdial(words, { input: String(body.secret) })).toMatchObject({ code: 0 });
  const { code } = await user.outdial(['listen', '--forward-to', receiver.url, '--profile', 'reader']);
  expect(code).toBe(3);
});

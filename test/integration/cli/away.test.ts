import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { reservedPort } from '../../../embedded/free-port.js';
import { outdialHere } from './commands.js';

const servers: Server[] = [];

afterEach(() => {
  for (const server of servers.splice(0)) server.close().closeAllConnections();
});

const json =
  (body: object, status = 200): RequestListener =>
  (_, response) =>
    void response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));

const starting: RequestListener = (_, response) =>
  void response.writeHead(503, { 'retry-after': '0' }).end('{"error":"The service is starting."}');

/** Settings of a service that answers one after the other, the last of them for good. */
async function answering(...answers: RequestListener[]): Promise<Record<string, string>> {
  let asked = 0;
  const server = createServer((request, response) => {
    answers[Math.min(asked, answers.length - 1)]?.(request, response);
    asked += 1;
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return { OUTDIAL_URL: `http://127.0.0.1:${port}`, OUTDIAL_TOKEN: 'any' };
}

const batch = (status: string) => ({
  ...{ batchId: 'batch_1', batchName: 'Reminders', status, recordsUploaded: 1, recordsRejected: 0, parseError: null },
  ...{ paused: false, simulated: false, counts: { answered: 1 }, waiting: { total: 0 }, waitingFor: '' },
});

test('`batch watch` says once that the service is away, waits for it, and ends with the batch', async () => {
  // Each look is tried four times.
  const away = Array.from({ length: 8 }, () => starting);
  const settings = await answering(json(batch('running')), ...away, json(batch('completed')));
  const { code, stdout, stderr } = await outdialHere(['batch', 'watch', 'batch_1'], settings);
  expect(code).toBe(0);
  expect(stdout).toContain('is completed: 1 of 1 over');
  expect(
    stderr.match(/The service is starting\. Waiting for it, up to 5 minutes; the batch call goes on\./g),
  ).toHaveLength(1);
});

test('`batch watch` ends at once if the service has never answered, or refuses the token meanwhile', async () => {
  const nobody = { OUTDIAL_URL: `http://127.0.0.1:${await reservedPort()}`, OUTDIAL_TOKEN: 'any' };
  expect(await outdialHere(['batch', 'watch', 'batch_1'], nobody)).toMatchObject({
    code: 6,
    stderr: expect.stringMatching(/^outdial: .* cannot be asked: nothing listens there\.\n$/),
  });
  const settings = await answering(json(batch('running')), json({ message: 'The API token is not valid.' }, 401));
  expect(await outdialHere(['batch', 'watch', 'batch_1'], settings)).toMatchObject({
    code: 3,
    stderr: expect.stringMatching(/The API token is not valid\.\nSign in again/),
  });
});

const lost: RequestListener = (request) => void request.socket.destroy();
const broken: RequestListener = (request, response) => {
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' }).write('{"batchId":', () => {
    request.socket.destroy();
  });
};

test.each([
  ['a proxy answers 502 for it', json({}, 502)],
  ['a proxy gives up waiting for it', json({}, 504)],
  ['it dies in the middle of an answer', broken],
  ['it closes the connection', lost],
])('`batch watch` goes on when the service is replaced: %s', async (_, away) => {
  const settings = await answering(
    json(batch('running')),
    ...Array.from({ length: 5 }, () => away),
    json(batch('completed')),
  );
  const { code, stdout, stderr } = await outdialHere(['batch', 'watch', 'batch_1'], settings);
  expect(stderr).toContain('Waiting for it, up to 5 minutes; the batch call goes on.');
  expect({ code, stdout }).toMatchObject({ code: 0, stdout: expect.stringContaining('is completed') as string });
});

const call = (status: string) => json({ message: 'ok', data: { id: 'call_1', status } }, 200);
const make = ['call', 'make', '+14155550101', '--from', '+14155550100'];

test('`call make --wait` names the call before it waits, and goes on when the service is away', async () => {
  const away = Array.from({ length: 4 }, () => starting);
  const settings = await answering(call('initiated'), call('initiated'), ...away, call('ended'));
  const { code, stderr } = await outdialHere([...make, '--wait'], settings);
  expect(stderr).toMatch(/^Calling \+14155550101: call_1\n/);
  expect(stderr).toContain('The service is starting. Waiting for it, up to 5 minutes; the call goes on.');
  expect(code).toBe(0);
});

test('`batch retry --watch` waits for a service that goes away as soon as it has made the batch call', async () => {
  const made = json({ ...batch('parsing'), timing: 'immediate' }, 202);
  const settings = await answering(made, ...Array.from({ length: 4 }, () => lost), json(batch('completed')));
  const { code, stdout } = await outdialHere(['batch', 'retry', 'batch_0', '--watch'], settings);
  expect(stdout).toContain('is completed');
  expect(code).toBe(0);
});

test('what may have been made without an answer is repeated with the key that the error names, and is made once', async () => {
  const keys: unknown[] = [];
  const losing: RequestListener = (request) => {
    keys.push(request.headers['idempotency-key']);
    request.socket.destroy();
  };
  const found: RequestListener = (request, response) => {
    keys.push(request.headers['idempotency-key']);
    call('initiated')(request, response);
  };
  const settings = await answering(...Array.from({ length: 4 }, () => losing), found);
  const failed = await outdialHere(make, settings);
  expect(failed.code).toBe(6);
  const [, key = ''] =
    /\nIt may have been done nevertheless\. Repeat the command with --idempotency-key (\S+): nothing is made a second time\.\n$/.exec(
      failed.stderr,
    ) ?? [];
  expect((await outdialHere([...make, '--idempotency-key', key], settings)).code).toBe(0);
  expect(keys).toEqual(Array.from({ length: 5 }, () => key));
});

test('a request whose answer was lost and that still runs is waited for', async () => {
  const running = json({ message: 'A request with this Idempotency-Key is still running' }, 409);
  const settings = await answering(lost, running, running, call('initiated'));
  expect(await outdialHere(make, settings)).toMatchObject({ code: 0, stderr: '' });
  const alone = await answering(running);
  expect(await outdialHere(make, alone)).toMatchObject({ code: 5 });
});

test('nothing is said of what may have been done if no request reached the service', async () => {
  const nobody = { OUTDIAL_URL: `http://127.0.0.1:${await reservedPort()}`, OUTDIAL_TOKEN: 'any' };
  const { code, stderr } = await outdialHere(make, nobody);
  expect(code).toBe(6);
  expect(stderr).not.toContain('nevertheless');
});

test('an export that breaks off says that it is incomplete', async () => {
  const settings = await answering(broken);
  expect(await outdialHere(['batch', 'export', 'batch_1', '--to', '/dev/null'], settings)).toMatchObject({
    code: 6,
    stderr: expect.stringMatching(
      /The answer of http:\S+ broke off and is incomplete: it closes the connection/,
    ) as string,
  });
});

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

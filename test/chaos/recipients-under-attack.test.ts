import { expect, test } from 'vitest';
import { batchIs, numbersWithScript, type Role, until } from '../e2e/running-service.js';
import { allInvites, calling, service, useService } from './batch-under-attack.js';

useService();

const requests = 12;
const perRequest = 10;

/** Adds until it is answered: the api may be dead at the moment. */
async function added(batchId: string, recipients: readonly object[]): Promise<void> {
  await until(async () => {
    try {
      const { status } = await service.request('POST', `/v1/batch-calls/${batchId}/recipients`, { recipients });
      return status === 200;
    } catch {
      return false;
    }
  });
}

// shows: recipients.kill
test('kill -9 of api, worker and dialer while recipients are added: each is dialed exactly once, and none is lost', async () => {
  const before = allInvites().length;
  const answering = numbersWithScript(0, requests * perRequest + 1, 60_000);
  const [first = '', ...others] = answering;
  const created = await service.request('POST', '/v1/batch-calls', {
    ...{ name: 'Open', phoneNumber: calling(), open: true },
    recipients: [{ phoneNumber: first, id: 'first' }],
  });
  expect(created.status).toBe(201);
  const batchId = String(created.body.batchId);
  const deaths: Readonly<Record<number, Role>> = {
    3: 'api',
    6: 'worker',
    9: 'dialer',
  };
  for (let request = 0; request < requests; request += 1) {
    const recipients = others
      .slice(request * perRequest, (request + 1) * perRequest)
      .map((phoneNumber) => ({ phoneNumber, id: phoneNumber }));
    const role = deaths[request];
    const dead = role === undefined ? null : service.ready().pids[role];
    // In the middle of the request, whose answer may be lost: it is repeated.
    const asked = added(batchId, recipients);
    if (role !== undefined) service.signal(role, 'SIGKILL');
    await asked;
    if (role !== undefined) await until(() => service.ready().pids[role] !== dead);
  }
  await until(async () => {
    try {
      return (await service.request('POST', `/v1/batch-calls/${batchId}/close`)).status === 200;
    } catch {
      return false;
    }
  });
  const batch = await batchIs(service, batchId, 'completed');
  expect(batch).toMatchObject({
    recordsUploaded: answering.length,
    counts: { answered: answering.length, pending: 0 },
  });
  const dialed = allInvites()
    .slice(before)
    .map(({ to }) => String(to));
  expect(dialed.toSorted()).toEqual(answering.toSorted());
});

/** Asks until it is answered; 409 if it was done and the answer was lost. */
const asked = (path: string): Promise<void> =>
  until(async () => {
    try {
      return [200, 409].includes((await service.request('POST', path)).status);
    } catch {
      return false;
    }
  });

// shows: recipients.again.kill
test('kill -9 of api, worker and dialer while recipients are called again: each is dialed twice, and none oftener', async () => {
  const before = allInvites().length;
  const answering = numbersWithScript(0, 24, 90_000);
  const created = await service.request('POST', '/v1/batch-calls', {
    ...{ name: 'Again', phoneNumber: calling(), open: true },
    recipients: answering.map((phoneNumber) => ({ phoneNumber })),
  });
  const batchId = String(created.body.batchId);
  const url = `/v1/batch-calls/${batchId}`;
  const answered = () =>
    until(async () => {
      try {
        const { body } = await service.request('GET', url);
        return (body.counts as { answered: number }).answered === answering.length;
      } catch {
        return false;
      }
    });
  await answered();
  const { body } = await service.request('GET', `${url}/records?perPage=100`);
  const deaths: Readonly<Record<number, Role>> = { 4: 'api', 10: 'worker', 16: 'dialer' };
  for (const [place, { recordId }] of (body.data as { recordId: string }[]).entries()) {
    const role = deaths[place];
    const dead = role === undefined ? null : service.ready().pids[role];
    const again = asked(`${url}/records/${recordId}/call-again`);
    if (role !== undefined) service.signal(role, 'SIGKILL');
    await again;
    if (role !== undefined) await until(() => service.ready().pids[role] !== dead);
  }
  await asked(`${url}/close`);
  const batch = await batchIs(service, batchId, 'completed');
  expect(batch).toMatchObject({ counts: { answered: answering.length, retrying: 0 } });
  const dialed = allInvites()
    .slice(before)
    .map(({ to }) => String(to));
  expect(dialed.toSorted()).toEqual([...answering, ...answering].toSorted());
});

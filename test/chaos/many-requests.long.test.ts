import { expect, test } from 'vitest';
import { batchIs, mostOfLongMs, type Role, until } from '../e2e/running-service.js';
import { allInvites, calling, service, useService } from './batch-under-attack.js';

useService();

/** `OUTDIAL_ADDING_REQUESTS=1000 npx vitest run test/chaos/many-requests.long.test.ts` adds a million. */
const requests = Number(process.env.OUTDIAL_ADDING_REQUESTS ?? 10);
const perRequest = 1_000;
/** Requests under way at once. */
const lanes = 3;

/** Area codes of more than a million numbers that answer. */
const areas = [212, 213, 214, 215, 216, 217, 218, 219, 224, 225, 228, 229, 231];
const perArea = 80_000;
const numberAt = (place: number): string =>
  `+1${areas[Math.floor(place / perArea)]}${String(20_000 + (place % perArea))}10`;

/** Asks until it is answered: the api may be dead at the moment. */
const insist = (path: string, body?: object): Promise<void> =>
  until(async () => {
    try {
      return (await service.request('POST', path, body)).status === 200;
    } catch {
      return false;
    }
  });

async function kill(role: Role): Promise<void> {
  const { [role]: dead } = service.ready().pids;
  service.signal(role, 'SIGKILL');
  await until(() => service.ready().pids[role] !== dead);
}

// shows: recipients.kill
test(`${requests} requests of ${perRequest} recipients while the batch runs, with kill -9 of api, worker and dialer: each is dialed once`, async () => {
  const { body: gateways } = await service.request('GET', '/v2/sip/outbound-gateways');
  const [gateway] = gateways.data as { id: string }[];
  const faster = { callsPerSecond: 200, maxConcurrentCalls: 400 };
  const { status } = await service.request('PATCH', `/v2/sip/outbound-gateways/${gateway?.id}`, faster);
  expect(status).toBe(200);
  const created = await service.request('POST', '/v1/batch-calls', {
    ...{ name: 'Many requests', phoneNumber: calling(), open: true },
    recipients: [{ phoneNumber: numberAt(0), id: '0' }],
  });
  expect(created.status).toBe(201);
  const url = `/v1/batch-calls/${String(created.body.batchId)}`;
  const startedMs = performance.now();
  const seconds = (): string => ((performance.now() - startedMs) / 1000).toFixed(0);

  const places = Array.from({ length: requests }, (_, place) => place);
  const rest = places.values();
  const deaths = new Map<number, Role>(
    (['api', 'worker', 'dialer', 'api', 'dialer', 'worker'] as const).map((role, index) => [
      Math.floor(((index + 1) * requests) / 7),
      role,
    ]),
  );
  const one = async (): Promise<void> => {
    for (const request of rest) {
      const recipients = Array.from({ length: perRequest }, (_, index) => {
        const place = 1 + request * perRequest + index;
        return { phoneNumber: numberAt(place), id: String(place) };
      });
      const role = deaths.get(request);
      await Promise.all([insist(`${url}/recipients`, { recipients }), role === undefined ? undefined : kill(role)]);
    }
  };
  await Promise.all(Array.from({ length: lanes }, one));
  await insist(`${url}/close`);
  const addedWithin = seconds();
  const whileAdding = allInvites().length;
  for (const role of ['dialer', 'worker', 'api'] as const) await kill(role);
  await insist(`${url}/close`); // answers again

  const total = requests * perRequest + 1;
  const batch = await batchIs(service, created.body.batchId, 'completed', mostOfLongMs);
  expect(batch).toMatchObject({ recordsUploaded: total, counts: { answered: total, pending: 0, retrying: 0 } });
  const times = new Map<string, number>();
  for (const { to } of allInvites()) times.set(String(to), (times.get(String(to)) ?? 0) + 1);
  expect([...times].filter(([, count]) => count > 1)).toEqual([]);
  expect(times.size).toBe(total);
  expect((await service.stats()).violations).toEqual({ calls_per_second: 0, channels: 0, repeated: 0 });
  process.stdout.write(
    `${total} recipients: added within ${addedWithin} s, ${whileAdding} of them called meanwhile, all within ${seconds()} s\n`,
  );
});

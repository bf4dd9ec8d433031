import { afterAll, beforeAll, expect, test } from 'vitest';
import { runService, setUp, stateOf, until, type RunningService } from '../e2e/running-service.js';

let service: RunningService;
let from: string;

beforeAll(async () => {
  service = await runService({ speed: 20 });
  from = (await setUp(service)).phoneNumber;
});
afterAll(async () => {
  await service.stop();
  service.removeData();
});

const people = Array.from(
  { length: 24 },
  (_, place) => `+1555${String(60_000 + place)}${place % 3 === 0 ? '21' : '10'}`,
);

/** Asks for a call as a careful client does: with one key for all its tries, until the answer comes. @returns the call's id */
async function askFor(sipCallTo: string): Promise<string> {
  for (;;) {
    const { apiUrl, token } = service.ready();
    const headers = { authorization: token, 'content-type': 'application/json', 'idempotency-key': `to ${sipCallTo}` };
    const body = JSON.stringify({ sipCallTo, sipCallFrom: from });
    const response = await fetch(`${apiUrl}/v2/sip/call`, { method: 'POST', headers, body }).catch(() => null);
    if (response?.status === 201) return ((await response.json()) as { data: { id: string } }).data.id;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}

const invitesTo = (to: string) => service.ledger().filter((line) => line.event === 'invite' && line.to === to);
const statusOf = async (id: string): Promise<string> => {
  const answer = await service.request('GET', `/v2/sip/call/${id}`).catch(() => null);
  return String((answer?.body.data as { status?: string } | undefined)?.status);
};
const over = ['ended', 'not-answered', 'missed', 'rejected', 'failed', 'abandoned'];

// The api dies between the commit of a call and the start of its workflow: nothing can be started before Temporal wakes.
test('single calls are made once each, and before their workflows exist, whatever is killed between request and end', async () => {
  const { temporal } = service.ready().pids;
  process.kill(temporal, 'SIGSTOP');
  await until(() => stateOf(temporal) === 'T');
  const asking = people.map(askFor);
  await Promise.any(asking);
  service.signal('api', 'SIGKILL');
  const ids = await Promise.all(asking);
  await until(() => people.every((to) => invitesTo(to).length > 0));
  service.signal('worker', 'SIGKILL');
  service.signal('dialer', 'SIGKILL');
  process.kill(temporal, 'SIGCONT');

  for (const id of ids) await until(async () => over.includes(await statusOf(id)));
  // Their workflows begin only now, and find them over.
  expect(people.map((to) => invitesTo(to).length)).toEqual(people.map(() => 1));
  const statuses = await Promise.all(ids.map(statusOf));
  expect(statuses).toEqual(people.map((to) => (to.endsWith('21') ? 'rejected' : 'ended')));
  expect((await service.stats()).violations).toEqual({ calls_per_second: 0, channels: 0, repeated: 0 });
});

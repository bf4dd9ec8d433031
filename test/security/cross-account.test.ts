import { beforeAll, expect, test } from 'vitest';
import { v7 } from 'uuid';
import { operations } from '../../api/operations.js';
import { formatId, type IdKind } from '../../domain/ids.js';
import { anAccount, api, here } from '../api/support.js';
import { aCallingNumber, aNumber, anAgent, rowsOf } from '../api/support-resources.js';

/** Every operation that names a resource in its path: one that is added is probed without anyone remembering. */
const probed = operations.filter(({ url }) => url.includes('/:'));

/** Ids that belong to `me`, by the name of the path parameter. */
const mine: Record<string, string> = {};
let stranger = '';

const kinds: Record<string, IdKind> = {
  agentId: 'agent',
  versionId: 'version',
  deploymentId: 'deployment',
  keyId: 'key',
  callId: 'call',
  batchId: 'batch',
};
const parametersOf = (url: string): string[] => [...url.matchAll(/:(\w+)/g)].map(([, name]) => name!);
const fill = (url: string, ids: Record<string, string>): string =>
  url.replace(/:(\w+)/g, (_match, name: string) => ids[name] ?? `no-${name}`);

async function aBatch(number: { phoneNumberId: string; e164: string; ruleId: string; outboundGatewayId: string }) {
  const id = formatId('batch', v7());
  await rowsOf(
    `insert into batches (id, account_id, name, number_id, from_number, rule_id, gateway_id, agent_id, status, timing,
       timezone, starts_at)
     select $1, account_id, 'Mine', $2, $3, id, $4, agent_id, 'running', 'immediate', 'UTC', now()
     from routing_rules where id = $5`,
    [id, number.phoneNumberId, number.e164, number.outboundGatewayId, number.ruleId],
  );
  await rowsOf('insert into batch_counters (batch_id) values ($1)', [id]);
  await rowsOf(
    `insert into batch_files (key, batch_id, account_id, filename, extension, sha256, byte_size, bytes)
     values ($1, $2, $3, 'a.csv', 'csv', '', 0, '')`,
    [formatId('file', v7()), id, here().me.account.id],
  );
  return id;
}

beforeAll(async () => {
  stranger = (await anAccount('Stranger')).token;
  const number = await aCallingNumber();
  const call = await api.post('/v2/sip/call', { sipCallTo: aNumber(), sipCallFrom: number.e164 });
  mine.callId = (call.body as { data: { id: string } }).data.id;
  mine.agentId = await anAgent();
  const [deployed] = await rowsOf<{ id: string; version_id: string }>(
    'select id, version_id from deployments where agent_id = $1',
    [mine.agentId],
  );
  mine.deploymentId = deployed!.id;
  mine.versionId = deployed!.version_id;
  mine.keyId = here().me.key.id;
  mine.batchId = await aBatch(number);
});

test('there is a resource of one’s own to probe for every parameter in a path', () => {
  const names = new Set(probed.flatMap(({ url }) => parametersOf(url)));
  expect([...names].filter((name) => mine[name] === undefined || kinds[name] === undefined)).toEqual([]);
  expect(probed.length).toBeGreaterThan(0);
});

/** A body that is valid wherever one is needed, so that the answer is about the resource. */
const bodyFor = (url: string): object =>
  url === '/v1/agents/:agentId' ? { name: 'Theirs', languages: { english: { prompt: 'Hi' } } } : {};

const ask = (method: string, url: string, token: string) =>
  method === 'GET'
    ? api.get(url, { token })
    : method === 'POST'
      ? api.post(url, bodyFor(url), { token })
      : method === 'PUT'
        ? api.put(url, bodyFor(url), { token })
        : method === 'PATCH'
          ? api.patch(url, bodyFor(url), { token })
          : api.delete(url, { token });

test.each(probed.map((operation) => [`${operation.method} ${operation.url}`, operation] as const))(
  '%s does not tell another account’s resource from none at all',
  async (_name, { method, url }) => {
    const unknown = Object.fromEntries(parametersOf(url).map((name) => [name, formatId(kinds[name]!, v7())]));
    const [theirs, nobodys] = [
      await ask(method, fill(url, mine), stranger),
      await ask(method, fill(url, unknown), stranger),
    ];
    expect(theirs.status).toBe(404);
    expect(nobodys.status).toBe(404);
    expect(theirs.text).toBe(nobodys.text);
    expect(theirs.text).not.toContain(here().me.account.id);
  },
);

test('after all those probes nothing of it has changed', async () => {
  expect(await rowsOf('select status, cancel_mode, paused from batches where id = $1', [mine.batchId])).toEqual([
    { status: 'running', cancel_mode: null, paused: false },
  ]);
  expect(await rowsOf('select 1 from agent_versions where agent_id = $1', [mine.agentId])).toHaveLength(1);
});

const lists = operations.filter(({ method, url }) => method === 'GET' && !url.includes('/:'));

test.each(lists.map(({ url }) => url))('GET %s shows a stranger nothing of this account', async (url) => {
  const response = await api.get(url, { token: stranger });
  expect(response.status).toBe(200);
  for (const id of [...Object.values(mine), here().me.account.id, here().me.key.id]) {
    expect(response.text).not.toContain(id);
  }
});

test.each(operations.map(({ method, url }) => [method, url] as const))('%s %s needs a token', async (method, url) => {
  const response = await ask(method, fill(url, mine), 'no.token.atall');
  expect(response.status).toBe(401);
  expect(response.body).toEqual({ error: expect.any(String) });
});

import { beforeAll, expect, test } from 'vitest';
import { operations } from '../../api/operations.js';
import { ask, unknownIds, oneOfEach, parametersOf, pathWith, unfilledIn, type PathValues } from '../api/one-of-each.js';
import { routesOf, served } from '../api/openapi/document.js';
import { anAccount, api, here, useApi } from '../api/support.js';
import { rowsOf } from '../api/support-resources.js';

useApi();

/** Every operation that names a resource in its path: one that is added is probed without anyone remembering. */
const probed = operations.filter(({ url }) => url.includes('/:'));

/** What a 404 says, by the first parameter of the path. */
const notFound: PathValues = {
  agentId: 'Agent not found',
  keyId: 'Key not found',
  toolId: 'Tool not found',
  knowledgeBaseId: 'Knowledge base not found',
  folderId: 'Folder not found',
  ruleId: 'Routing rule not found',
  phoneNumberId: 'Phone number not found',
  gatewayId: 'Gateway not found',
  inboundGatewayId: 'Inbound gateway not found',
  outboundGatewayId: 'Outbound gateway not found',
  callId: 'Call not found',
  webhookId: 'Webhook not found',
  batchId: 'Batch call not found',
  campaignId: 'Campaign not found',
  'contacts/e164': 'Nothing is known of this number',
  'do-not-call/e164': 'The number is not on the do-not-call list',
};

let mine: PathValues = {};
let stranger = '';
let before: unknown;
/** Bodies that are valid, so that the answer is about the resource. */
const examples: Record<string, unknown> = {};

/** Everything of this account but what asking itself leaves behind. */
async function everything(): Promise<unknown> {
  const tables = await rowsOf<{ name: string }>(
    `select c.table_name as name from information_schema.columns c join information_schema.tables t using (table_name)
     where c.column_name = 'account_id' and t.table_type = 'BASE TABLE' and c.table_schema = 'public'
       and c.table_name not in ('api_keys') and c.table_name not like 'usage%' order by 1`,
  );
  return Promise.all(
    tables.map(async ({ name }) => [
      name,
      await rowsOf(`select to_jsonb(t) as row from ${name} t where account_id = $1 order by to_jsonb(t)::text`, [
        here().me.account.id,
      ]),
    ]),
  );
}

beforeAll(async () => {
  stranger = (await anAccount('Stranger')).token;
  for (const { name, requestBody } of routesOf(await served())) {
    examples[name.replace(/\{(\w+)\}/g, ':$1')] = requestBody?.content['application/json']?.example;
  }
  mine = await oneOfEach();
  before = await everything();
});

test('there is a resource of one’s own to probe for every parameter in a path', () => {
  expect(probed.flatMap(({ url }) => [...unfilledIn(url, mine), ...unfilledIn(url, unknownIds())])).toEqual([]);
  expect(probed.length).toBeGreaterThan(0);
});

// shows: auth.scope
test.each(probed.map((operation) => [`${operation.method} ${operation.url}`, operation] as const))(
  '%s answers another account’s resource, one that never was and what is no id alike: 404 in the words of its kind',
  async (_name, operation) => {
    const body = examples[`${operation.method} ${operation.url}`] ?? {};
    const nonsense = Object.fromEntries(Object.keys(mine).map((name) => [name, 'nonsense']));
    const [first = []] = parametersOf(operation.url);
    const words = first.map((key) => notFound[key]).find((message) => message !== undefined);
    for (const values of [mine, unknownIds(), nonsense]) {
      const response = await ask(operation, pathWith(operation.url, values), { token: stranger, body });
      const named = ['sip', 'batch-calls'].includes(operation.family) ? 'message' : 'error';
      expect([response.status, response.body]).toEqual([404, { [named]: words }]);
    }
  },
);

// shows: auth.scope
test('after all those probes nothing of the account has changed', async () => {
  expect(await everything()).toEqual(before);
});

const lists = operations.filter(({ method, url }) => method === 'GET' && !url.includes('/:'));

test.each(lists.map(({ url }) => url))('GET %s shows a stranger nothing of this account', async (url) => {
  const response = await api.get(url, { token: stranger });
  expect(response.status).toBe(200);
  for (const id of [...Object.values(mine), here().me.account.id]) {
    expect(response.text).not.toContain(id);
  }
});

import { expect, test } from 'vitest';
import { secretPlaces } from '../../../../domain/account/secret-places.js';
import { resealSecrets } from '../../../../db/queries/accounts/sealed-secrets.js';
import { api, here } from '../../support.js';
import { rowsOf } from '../../support-resources.js';
import { aTool, toolBody } from '../support.js';

// shows: tools.create
test('a tool of the required fields has the defaults of the others', async () => {
  const response = await api.post('/v1/tools', {
    name: 'ping',
    description: 'Pings.',
    url: 'https://example.com/ping',
  });

  expect(response.status).toBe(201);
  expect(response.body).toEqual({
    toolId: expect.stringMatching(/^tool_[0-9a-f-]{36}$/),
    name: 'ping',
    description: 'Pings.',
    parameters: { type: 'object', properties: {} },
    method: 'POST',
    url: 'https://example.com/ping',
    headers: {},
    timeoutSeconds: 10,
    createdAt: expect.stringMatching(/Z$/),
    updatedAt: expect.stringMatching(/Z$/),
  });
});

// shows: tools.parameters
test('parameters are kept as they were sent, nulls and order included', async () => {
  const parameters = {
    type: 'object',
    required: ['zip'],
    properties: { zip: { type: 'string' }, kind: { enum: ['a', null], default: null } },
    additionalProperties: false,
  };
  const { toolId } = await aTool({ parameters });
  const { text } = await api.get(`/v1/tools/${toolId}`);
  expect(text).toContain(JSON.stringify(parameters));
});

const placeOf = (toolId: string) => secretPlaces.toolHeaders(here().me.account.id, toolId);

// shows: token.sealed, tools.headers
test('header values are shown as masks, and stored sealed', async () => {
  const { toolId, headers } = await aTool({ headers: { Authorization: 'Bearer very-secret-4711', 'X-Tenant': 'abc' } });

  expect(headers).toEqual({ Authorization: '••••4711', 'X-Tenant': '••••' });
  const [row] = await rowsOf<{ headers_sealed: string }>('select * from tools where id = $1', [toolId]);
  expect(JSON.stringify(row)).not.toContain('very-secret');
  expect(JSON.parse(here().deps.secretBox.open(row!.headers_sealed, placeOf(toolId)))).toEqual({
    Authorization: 'Bearer very-secret-4711',
    'X-Tenant': 'abc',
  });
});

test('headers are sealed anew with all other secrets when the key is changed', async () => {
  const { toolId } = await aTool({ headers: { 'X-Key': 'rotated' } });
  const { database, secretBox } = here().deps;
  const resealed = await resealSecrets(database.db, (envelope, place) =>
    secretBox.seal(secretBox.open(envelope, place), place),
  );
  const [row] = await rowsOf<{ headers_sealed: string }>('select headers_sealed from tools where id = $1', [toolId]);
  expect(resealed.find(({ table }) => table === 'tools')?.count).toBeGreaterThan(0);
  expect(secretBox.open(row!.headers_sealed, placeOf(toolId))).toBe('{"X-Key":"rotated"}');
});

test('placeholders of path and query take required arguments', async () => {
  const { url } = await aTool({
    url: 'https://api.example.com/orders/{orderId}?expand={what}',
    parameters: {
      type: 'object',
      properties: { orderId: { type: 'string' }, what: { type: 'string' } },
      required: ['orderId', 'what'],
    },
  });
  expect(url).toBe('https://api.example.com/orders/{orderId}?expand={what}');
});

test('the limits themselves are accepted', async () => {
  const longest = { name: `a${'b'.repeat(63)}`, description: 'd'.repeat(2000), timeoutSeconds: 60 };
  expect(await aTool(longest)).toMatchObject(longest);
  expect(await aTool({ timeoutSeconds: 1 })).toMatchObject({ timeoutSeconds: 1 });
});

// shows: idempotency.every-create
test('with an Idempotency-Key it is made once, and both answers are the same', async () => {
  const body = toolBody();
  const headers = { 'idempotency-key': 'tool-1' };
  const first = await api.post('/v1/tools', body, { headers });
  const second = await api.post('/v1/tools', body, { headers });
  expect(second.body).toEqual(first.body);
  expect(second.headers['idempotent-replayed']).toBe('true');
});

test('who made it is in the audit log, without its secrets', async () => {
  const { toolId, name } = await aTool({ headers: { 'X-Key': 'secret-in-no-log' } });
  const rows = await rowsOf('select action, details from audit_log where target = $1', [toolId]);
  expect(rows).toEqual([{ action: 'tool.create', details: { name } }]);
});

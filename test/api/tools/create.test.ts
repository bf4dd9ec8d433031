import { describe, expect, test } from 'vitest';
import { resealSecrets } from '../../../db/queries/accounts/sealed-secrets.js';
import { type SecretPlace, secretPlaces } from '../../../domain/account/secret-places.js';
import { rowsOf } from '../support-resources.js';
import { anAccount, api, here } from '../support.js';
import { aTool, problemsIn, toolBody } from './support.js';

describe('201', () => {
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
    const { toolId, headers } = await aTool({
      headers: { Authorization: 'Bearer very-secret-4711', 'X-Tenant': 'abc' },
    });

    expect(headers).toEqual({ Authorization: '••••4711', 'X-Tenant': '••••' });
    const [row] = await rowsOf<{ headers_sealed: string }>('select * from tools where id = $1', [toolId]);
    expect(JSON.stringify(row)).not.toContain('very-secret');
    expect(JSON.parse(here().deps.secretBox.open(row!.headers_sealed, placeOf(toolId)))).toEqual({
      Authorization: 'Bearer very-secret-4711',
      'X-Tenant': 'abc',
    });
  });

  test('headers are sealed again with all other secrets when the key is changed', async () => {
    const { toolId } = await aTool({ headers: { 'X-Key': 'rotated' } });
    const { database, secretBox } = here().deps;
    const seal = (secret: string, place: SecretPlace) => secretBox.seal(secretBox.open(secret, place), place);
    const resealed = await resealSecrets(database.db, seal, (error) => expect.fail(error.message));
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
});

describe('400', () => {
  const deep = (count: number): object =>
    count === 0 ? { type: 'string' } : { type: 'array', items: deep(count - 1) };

  // shows: tools.parameters, tools.url
  test.each<[string, object, string]>([
    ['a name with a space', { name: 'look up' }, 'name INVALID_VALUE'],
    ['a name that begins with a digit', { name: '1st' }, 'name INVALID_VALUE'],
    ['a name of 65 characters', { name: 'a'.repeat(65) }, 'name INVALID_VALUE'],
    ['no name', { name: undefined }, 'name REQUIRED'],
    ['an empty description', { description: '' }, 'description INVALID_VALUE'],
    ['a description of 2001 characters', { description: 'd'.repeat(2001) }, 'description TOO_LONG'],
    ['an unknown field', { colour: 'red' }, 'colour UNRECOGNIZED_KEY'],
    ['an unknown method', { method: 'get' }, 'method INVALID_VALUE'],
    ['no seconds to answer', { timeoutSeconds: 0 }, 'timeoutSeconds OUT_OF_RANGE'],
    ['over a minute to answer', { timeoutSeconds: 61 }, 'timeoutSeconds OUT_OF_RANGE'],
    ['a URL that is none', { url: 'orders' }, 'url INVALID_URL'],
    ['http', { url: 'http://example.com/' }, 'url INVALID_URL'],
    ['a private address', { url: 'https://10.0.0.1/' }, 'url INVALID_URL'],
    ['a private address behind a placeholder', { url: 'https://127.0.0.1/{x}' }, 'url INVALID_URL'],
    ['a password in the URL', { url: 'https://a:b@example.com/' }, 'url INVALID_URL'],
    ['a placeholder for the host', { url: 'https://{host}/x' }, 'url INVALID_URL'],
    ['a placeholder in the host', { url: 'https://a.{host}.example/x' }, 'url INVALID_URL'],
    ['a placeholder that is no parameter', { url: 'https://example.com/{id}' }, 'url INVALID_URL'],
    [
      'a placeholder that is not a required parameter',
      { url: 'https://example.com/{id}', parameters: { type: 'object', properties: { id: {} } } },
      'url INVALID_URL',
    ],
    ['half a placeholder', { url: 'https://example.com/{id' }, 'url INVALID_URL'],
    ['parameters of another type', { parameters: { type: 'string' } }, 'parameters INVALID_VALUE'],
    ['parameters without type', { parameters: { properties: {} } }, 'parameters INVALID_VALUE'],
    [
      'a schema that is none',
      { parameters: { type: 'object', properties: { a: { type: 'text' } } } },
      'parameters INVALID_VALUE',
    ],
    ['a reference to nowhere', { parameters: { type: 'object', $ref: '#/$defs/a' } }, 'parameters INVALID_VALUE'],
    [
      'a reference to elsewhere',
      { parameters: { type: 'object', $ref: 'https://example.com/a' } },
      'parameters INVALID_VALUE',
    ],
    [
      'a pattern that is none',
      { parameters: { type: 'object', properties: { a: { pattern: '(' } } } },
      'parameters INVALID_VALUE',
    ],
    [
      'another dialect',
      { parameters: { type: 'object', $schema: 'https://example.com/s' } },
      'parameters INVALID_VALUE',
    ],
    [
      'a schema of over 16 KB',
      { parameters: { type: 'object', description: 'd'.repeat(16_384) } },
      'parameters TOO_LONG',
    ],
    ['a header that names the host', { headers: { Host: 'a' } }, 'headers.Host INVALID_VALUE'],
    ['a header name with a space', { headers: { 'X A': 'a' } }, 'headers.X A INVALID_VALUE'],
    ['a header of two lines', { headers: { 'X-A': 'a\r\nX-B: b' } }, 'headers.X-A INVALID_VALUE'],
    ['one header in two casings', { headers: { 'X-A': 'a', 'x-a': 'b' } }, 'headers.x-a INVALID_VALUE'],
    ['a masked header', { headers: { 'X-A': '••••4711' } }, 'headers.X-A MASKED_API_KEY'],
    ['a header without a text', { headers: { 'X-A': 1 } }, 'headers.X-A INVALID_TYPE'],
  ])('%s is refused', async (_what, change, problem) => {
    const response = await api.post('/v1/tools', toolBody(change));
    expect(response.status).toBe(400);
    expect(response.body).toMatchObject({ status: 'error' });
    expect(problemsIn(response.body)).toEqual([problem]);
  });

  test('everything that is wrong is told at once', async () => {
    const response = await api.post('/v1/tools', { url: 'http://example.com', parameters: { type: 'array' } });
    expect(problemsIn(response.body)).toEqual([
      'description REQUIRED',
      'name REQUIRED',
      'parameters INVALID_VALUE',
      'url INVALID_URL',
    ]);
  });

  test('a schema that nests deeply within its size is accepted or refused, and never a failure of ours', async () => {
    const parameters = { type: 'object', properties: { a: deep(20) } };
    expect((await api.post('/v1/tools', toolBody({ parameters }))).status).toBe(201);
    const tooDeep = { type: 'object', properties: { a: deep(80) } };
    expect((await api.post('/v1/tools', toolBody({ parameters: tooDeep }))).status).toBe(400);
  });
});

describe('409', () => {
  // shows: tools.name
  test('a name is there once on an account; another account has its own', async () => {
    const { name } = await aTool();

    const response = await api.post('/v1/tools', toolBody({ name }));

    expect({ status: response.status, body: response.body }).toEqual({
      status: 409,
      body: { error: expect.stringContaining(name) },
    });
    const { token } = await anAccount();
    expect((await api.post('/v1/tools', toolBody({ name }), { token })).status).toBe(201);
  });

  test('of tools of one name made at the same time exactly one is stored', async () => {
    const body = toolBody();
    const statuses = await Promise.all(
      Array.from({ length: 5 }, async () => (await api.post('/v1/tools', body)).status),
    );
    expect(statuses.sort()).toEqual([201, 409, 409, 409, 409]);
  });
});

describe('422', () => {
  test('an Idempotency-Key is for one content', async () => {
    const headers = { 'idempotency-key': 'tool-2' };
    expect((await api.post('/v1/tools', toolBody(), { headers })).status).toBe(201);
    const response = await api.post('/v1/tools', toolBody(), { headers });
    expect({ status: response.status, body: response.body }).toEqual({
      status: 422,
      body: { error: expect.any(String) },
    });
  });
});

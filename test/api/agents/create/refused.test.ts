import { describe, expect, test } from 'vitest';
import { anotherApp, api, here } from '../../support.js';
import { anAgent, appWithoutTemporal, appWithWorker, minimal } from '../support.js';

const storedAgents = async (): Promise<string[]> =>
  (await here().database.db.selectFrom('agents').select('id').orderBy('id').execute()).map(({ id }) => id);

describe('400', () => {
  const problem = (path: string, code: string) => ({ path, code, message: expect.any(String) });

  // shows: agents.create.all-problems, agents.update.400, errors.config
  test('every problem of a config is answered at once, sorted by path, and nothing is stored', async () => {
    const before = await storedAgents();
    const { status, body } = await api.post('/v1/agents', {
      defaultLanguage: 'french',
      languages: { English: { prompt: 'x', tts: [{ model: 'openai/tts-1' }], wakeUp: { enabled: true } } },
      knowledgeBaseIds: ['kb_none'],
      tools: ['tool_none'],
      colour: 'red',
    });

    expect(status).toBe(400);
    expect(body).toEqual({
      status: 'error',
      errors: [
        problem('colour', 'UNRECOGNIZED_KEY'),
        problem('defaultLanguage', 'DEFAULT_LANGUAGE_MISSING'),
        problem('knowledgeBaseIds[0]', 'UNKNOWN_KNOWLEDGE_BASE'),
        problem('languages.English.tts[0].voice', 'VOICE_REQUIRED'),
        problem('languages.English.wakeUp.afterSeconds', 'WAKE_UP_INCOMPLETE'),
        problem('languages.English.wakeUp.message', 'WAKE_UP_INCOMPLETE'),
        problem('name', 'REQUIRED'),
        problem('tools[0]', 'UNKNOWN_TOOL'),
      ],
    });
    expect(await storedAgents()).toEqual(before);
  });

  // shows: model.api-key-full
  test('a masked key is refused without being answered back', async () => {
    const languages = { english: { prompt: 'x', llm: [{ model: 'openai/gpt-5', apiKey: '••••a1b2' }] } };
    const { status, body, text } = await api.post('/v1/agents', { ...minimal, languages });

    expect(status).toBe(400);
    expect(body).toMatchObject({ errors: [problem('languages.english.llm[0].apiKey', 'MASKED_API_KEY')] });
    expect(text).not.toContain('a1b2');
  });

  test('no key that was sent is ever part of an error', async () => {
    const languages = {
      english: { prompt: 5, llm: [{ model: 'sk-in-the-wrong-field', apiKey: 'sk-very-secret', x: 1 }] },
    };
    const { status, text } = await api.post('/v1/agents', { ...minimal, languages });

    expect(status).toBe(400);
    expect(text).not.toContain('sk-very-secret');
  });

  // shows: everywhere.malformed
  test.each([
    ['{"name": "x", ', 'INVALID_JSON'],
    ['[]', 'INVALID_TYPE'],
    ['"text"', 'INVALID_TYPE'],
  ])('the body %s is %s', async (body, code) => {
    expect(await api.post('/v1/agents', body)).toMatchObject({
      status: 400,
      body: { status: 'error', errors: [{ path: '', code }] },
    });
  });

  // shows: config.name-languages
  test.each(['', '{}', 'null'])('the body %j lacks name and languages', async (body) => {
    const response = await api.post('/v1/agents', body);
    expect(response).toMatchObject({
      status: 400,
      body: { errors: [problem('languages', 'REQUIRED'), problem('name', 'REQUIRED')] },
    });
  });

  test('a version has no name of its own on create', async () => {
    const response = await api.post('/v1/agents', { ...minimal, versionName: 'v1' });
    expect(response).toMatchObject({ status: 400, body: { errors: [problem('versionName', 'UNRECOGNIZED_KEY')] } });
  });

  test('what cannot be stored is a problem of its field and not a failure of ours', async () => {
    const response = await api.post(
      '/v1/agents',
      String.raw`{"name": "a\u0000b", "languages": {"english": {"prompt": "\ud800"}}, "advanced": {"n": 1e999}}`,
    );
    expect(response).toMatchObject({
      status: 400,
      body: {
        errors: [
          problem('advanced.n', 'OUT_OF_RANGE'),
          problem('languages.english.prompt', 'INVALID_VALUE'),
          problem('name', 'INVALID_VALUE'),
        ],
      },
    });
  });

  // shows: summary.shape, validation.url
  test.each([
    'http://hooks.example.com',
    'https://127.0.0.1/x',
    'https://[::1]/x',
    'https://2130706433/x',
    'https://localhost',
    'https://10.1.2.3',
  ])('call summaries are not sent to %s, unless the operator allows it', async (url) => {
    const config = { ...minimal, callSummary: { enabled: true, webhook: { url } } };
    const { deps } = here();
    const env = { ...deps.env, OUTDIAL_ALLOW_INSECURE_WEBHOOKS: true, OUTDIAL_ALLOW_PRIVATE_WEBHOOKS: true };
    const app = await anotherApp({
      env,
      temporal: { kick: () => undefined, isReachable: () => Promise.resolve(false) },
    });

    expect(await api.post('/v1/agents', config)).toMatchObject({
      status: 400,
      body: { errors: [problem('callSummary.webhook.url', 'INVALID_URL')] },
    });
    expect(await api.post('/v1/agents', config, { app })).toMatchObject({ status: 201 });
  });
});

describe('409', () => {
  // shows: idempotency.in-flight
  test('a second request with the key of one that is still being stored is told so, and creates nothing', async () => {
    const before = await storedAgents();
    const app = await anotherApp({ temporal: { kick: () => undefined, isReachable: () => Promise.resolve(false) } });
    const headers = { 'idempotency-key': 'pressed twice' };

    const answers = await Promise.all(
      Array.from({ length: 4 }, () => api.post('/v1/agents', minimal, { app, headers })),
    );

    const refused = answers.filter(({ status }) => status === 409);
    expect(refused.map(({ body }) => body)).toEqual(refused.map(() => ({ error: expect.any(String) })));
    const ids = answers.filter(({ status }) => status === 201).map(({ body }) => (body as { agentId: string }).agentId);
    expect(refused.length + ids.length).toBe(4);
    expect(new Set(ids).size).toBe(1);
    expect(await storedAgents()).toEqual([...before, ...new Set(ids)].sort());
  });
});

describe('413', () => {
  /** A body of exactly so many bytes. */
  function bodyOf(bytes: number): string {
    const text = JSON.stringify({ ...minimal, advanced: { filler: '' } });
    return text.replace('"filler":""', `"filler":"${'f'.repeat(bytes - text.length)}"`);
  }

  // shows: validation.limits
  test('a body of 1 MB is taken, and one byte more is too large', async () => {
    const limit = 1_048_576;
    const largest: unknown = JSON.parse(bodyOf(limit));

    expect(await anAgent(largest as object)).toMatchObject({ name: 'Reminder' });
    expect(await api.post('/v1/agents', bodyOf(limit + 1))).toMatchObject({
      status: 413,
      body: { error: expect.any(String) },
    });
  });
});

describe('422', () => {
  test('an Idempotency-Key that was used with another config is refused', async () => {
    const app = await appWithoutTemporal();
    const headers = { 'idempotency-key': 'one' };
    await api.post('/v1/agents', minimal, { app, headers });

    const response = await api.post('/v1/agents', { ...minimal, name: 'Another' }, { app, headers });

    expect(response).toMatchObject({ status: 422, body: { error: expect.any(String) } });
  });

  // shows: idempotency.every-create
  test('the same config with the same key gets the first answer again, as it was after the deploy', async () => {
    const app = await appWithWorker();
    const headers = { 'idempotency-key': 'two' };

    const first = await api.post('/v1/agents', minimal, { app, headers });
    const again = await api.post('/v1/agents', minimal, { app, headers });

    expect(first).toMatchObject({ status: 201, body: { status: 'active' } });
    expect(again).toMatchObject({
      status: 201,
      body: first.body as object,
      headers: { 'idempotent-replayed': 'true' },
    });
  });
});

import { describe, expect, test } from 'vitest';
import { validateAgentConfig } from '../../../domain/agent-config/validate.js';
import { modelKinds } from '../../../domain/agent/model-catalog.js';
import { api } from '../support.js';

describe('200', () => {
  interface Model {
    readonly model: string;
    readonly kind: string;
    readonly provider: string;
    readonly languages: 'any' | readonly string[];
    readonly voices?: readonly string[];
  }

  interface Page {
    readonly pageInfo: { readonly lastPage: number };
    readonly data: readonly Model[];
  }

  /** Every page of the list. */
  async function models(query = ''): Promise<readonly Model[]> {
    const found: Model[] = [];
    for (let page = 1, last = 1; page <= last; page += 1) {
      const { status, body } = await api.get(`/v1/models?perPage=100&page=${page}&${query}`);
      expect(status).toBe(200);
      const { pageInfo, data } = body as Page;
      found.push(...data);
      last = pageInfo.lastPage;
    }
    return found;
  }

  // shows: validation.catalogue
  test('every model that is listed for speech works in a config, with each language and voice that it lists', async () => {
    const context = { knownKnowledgeBases: new Set<string>(), knownTools: new Set<string>(), refuseUrl: () => null };
    for (const { model, kind, languages, voices } of await models()) {
      if (!['stt', 'llm', 'tts', 'realtime'].includes(kind)) continue;
      const entry = { model: model.replace('*', 'mine'), voice: voices?.[0] ?? 'any' };
      for (const language of languages === 'any' ? ['zulu'] : languages) {
        const config = { name: 'x', languages: { [language]: { prompt: 'x', [kind]: [entry] } } };
        expect(validateAgentConfig(config, context)).toMatchObject({ ok: true });
      }
    }
  });

  // shows: validation.models
  test.each(modelKinds)('?kind=%s lists only those', async (kind) => {
    const found = await models(`kind=${kind}`);
    expect(new Set(found.map((model) => model.kind))).toEqual(new Set([kind]));
  });

  // shows: validation.models
  test('filters narrow the list together, and a language is known by name and code', async () => {
    const found = await models('kind=tts&provider=Sarvam&language=Tamil');
    expect(found.map(({ model }) => model)).toEqual(['sarvam/bulbul:v2', 'sarvam/bulbul:v3']);
    expect(await models('kind=tts&provider=sarvam&language=ta')).toEqual(found);
    expect(await models('kind=tts&provider=sarvam&language=french')).toEqual([]);
    expect(await models('language=klingon')).toEqual([]);
    expect(await models('provider=custom')).toMatchObject([
      { model: 'custom/*' },
      { model: 'custom/*' },
      { model: 'custom/*' },
      { model: 'custom/*' },
    ]);
  });
});

describe('400', () => {
  test('an unknown kind is refused', async () => {
    expect(await api.get('/v1/models?kind=video')).toMatchObject({
      status: 400,
      body: { error: expect.stringContaining('kind') },
    });
  });
});

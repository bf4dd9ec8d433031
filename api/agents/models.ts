import { z } from 'zod';
import { languageCoded, languageNamed } from '../../domain/agent/languages.js';
import { customProvider } from '../../domain/agent/model-endpoints.js';
import { modelKinds, modelProviders } from '../../domain/agent/model-catalog.js';
import { speaks } from '../../domain/agent/models.js';
import { operation } from '../operation.js';
import { pageBody, pageOf, pageQuery, rowsOfPage } from '../pagination.js';

const Model = z
  .strictObject({
    model: z.string().describe('Slug, as a config names it; `*` stands for any id of yours'),
    provider: z.string().describe('First half of the slug'),
    kind: z.enum(modelKinds).describe('Which slot of a config it fits'),
    languages: z.union([z.literal('any'), z.array(z.string())]).describe('Names of languages'),
    voices: z.array(z.string()).optional().describe('The only ones it has; omitted if any voice id is accepted'),
    needsKey: z.boolean().describe('Whether it takes an apiKey, if the service has no key for it'),
  })
  .meta({
    id: 'Model',
    examples: [{ model: 'openai/gpt-4.1-mini', provider: 'openai', kind: 'llm', languages: 'any', needsKey: true }],
  });

const namesOf = (codes: readonly string[]): string[] =>
  codes.flatMap((code) => languageCoded(code)?.name ?? []).toSorted();

/** The whole catalogue; a provider of any model is one entry per kind. */
const everyModel = modelProviders.flatMap((provider) => {
  const needsKey = provider.keyVariable !== null && provider.id !== customProvider;
  const common = { provider: provider.id, needsKey };
  const open = provider.openKinds.map((kind) => ({
    model: { id: '*', kind, languages: 'any' as const, voices: 'open' as const },
    body: { ...common, model: `${provider.id}/*`, kind, languages: 'any' as const },
  }));
  const listed = provider.models.map((model) => ({
    model,
    body: {
      ...common,
      model: `${provider.id}/${model.id}`,
      kind: model.kind,
      languages: model.languages === 'any' ? ('any' as const) : namesOf(model.languages),
      ...(model.voices === 'open' ? {} : { voices: [...model.voices] }),
    },
  }));
  return [...open, ...listed];
});

/** GET /v1/models */
export const listModels = operation({
  name: 'models.list',
  method: 'GET',
  url: '/v1/models',
  family: 'agents',
  tag: 'Agents',
  schema: {
    summary: 'List the models that a config can name',
    description: 'By provider. A slug that ends in `*` stands for every model of its provider and kind, under any id.',
    query: z.object({
      ...pageQuery,
      kind: z.enum(modelKinds).optional().describe('Only those of this kind'),
      provider: z.string().optional().describe('Only those of this provider'),
      language: z.string().optional().describe('Name or code of a language that the model must work in'),
    }),
    response: { 200: pageOf(Model) },
  },

  async handler({ query }) {
    const { kind, provider, language } = query;
    const code = language === undefined ? undefined : (languageNamed(language) ?? languageCoded(language))?.code;
    const found = everyModel
      .filter(({ body }) => kind === undefined || body.kind === kind)
      .filter(({ body }) => provider === undefined || body.provider === provider.toLowerCase())
      .filter(({ model }) => language === undefined || (code !== undefined && speaks(model, code)))
      .map(({ body }) => body);
    const { offset, limit } = rowsOfPage(query);
    return { status: 200, body: pageBody(query, found.length, found.slice(offset, offset + limit)) };
  },
});

import { expect, test } from 'vitest';
import { customProvider, llmBaseUrls } from '../../../domain/agent/model-endpoints.js';
import { modelProviders } from '../../../domain/agent/model-catalog.js';
import { modelsOfKind } from '../../../domain/agent/models.js';

test('every provider of language models can be asked for a summary, at an https address', () => {
  const providers = modelProviders.filter((provider) => modelsOfKind(provider, 'llm').length > 0).map(({ id }) => id);
  expect(Object.keys(llmBaseUrls).toSorted()).toEqual(providers.filter((id) => id !== customProvider).toSorted());
  for (const url of Object.values(llmBaseUrls)) expect(new URL(url).protocol).toBe('https:');
});

import { modelProvider } from '../../domain/agent/models.js';

/** The service's own key with a provider of models (catalogue id), from the environment. */
export function serviceKey(providerId: string): string | undefined {
  const variable = modelProvider(providerId)?.keyVariable ?? null;
  const key = variable === null ? undefined : process.env[variable];
  return key === '' ? undefined : key;
}

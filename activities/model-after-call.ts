import { secretPlaces } from '../domain/account/secret-places.js';
import { type LlmEndpoint, llmEndpoint } from '../domain/agent/llm-endpoints.js';
import type { ActivityDeps } from './deps.js';

interface ConfiguredModel {
  readonly accountId: string;
  readonly versionId: string;
  /** Slug in the version's config; undefined: the service's default. */
  readonly model: string | undefined;
  /** Language model that the service filled in when the version was deployed; null if that was before it did. */
  readonly defaultLlm: string | null;
  /** The caller's own key for the model, sealed, and where the config has it; null: none. */
  readonly keySealed: string | null;
  readonly keyPath: string;
}

/** The model that is asked about a call when it is over, where it is and what opens it, or why it cannot be asked. */
export function modelAfterCall(
  { secretBox, deploy, languageModels }: ActivityDeps,
  { accountId, versionId, model, defaultLlm, keySealed, keyPath }: ConfiguredModel,
): { readonly slug: string; readonly endpoint: LlmEndpoint | 'unknown_model' | 'no_key' } {
  const place = secretPlaces.agentKey(accountId, versionId, keyPath);
  const ownKey = model !== undefined && keySealed !== null ? secretBox.open(keySealed, place) : undefined;
  const slug = model ?? defaultLlm ?? deploy.modelDefaults.llm;
  return { slug, endpoint: llmEndpoint(slug, ownKey, languageModels) };
}

import { type CatalogModel, type ModelKind, type ModelProvider, modelProviders } from './model-catalog.js';

/** A model as a slug named it. */
export interface NamedModel {
  /** `<provider>/<model_id>`, lower case, as configs store it. */
  readonly slug: string;
  readonly provider: ModelProvider;
  readonly model: CatalogModel;
}

/** Why a slug names no model: the codes of docs/validation-codes.md. */
export type SlugProblem = 'INVALID_SLUG' | 'UNKNOWN_PROVIDER' | 'UNKNOWN_MODEL' | 'WRONG_MODEL_KIND';

const providers = new Map(modelProviders.map((each) => [each.id, each]));
// A model id may itself hold slashes (openai/gpt-oss-120b at Groq), so only the first one divides.
const slugForm = /^([a-z0-9][a-z0-9_.-]*)\/([a-z0-9][a-z0-9_.:@-]*(?:\/[a-z0-9][a-z0-9_.:@-]*)*)$/;

/** The provider of this id in any casing, or undefined. */
export const modelProvider = (id: string): ModelProvider | undefined => providers.get(id.toLowerCase());

/** Models of this kind at this provider; empty if it serves none. */
export const modelsOfKind = (provider: ModelProvider, kind: ModelKind): readonly CatalogModel[] =>
  provider.models.filter((model) => model.kind === kind);

/**
 * Looks a slug up in any casing, for a slot that takes one kind (docs/conformance.md, ModelSlot and ModelEntry).
 * Answers the model, or the code of what is wrong with the slug.
 */
export function findModel(slug: string, kind: ModelKind): NamedModel | SlugProblem {
  const lowered = slug.toLowerCase();
  const [, providerId, modelId] = slugForm.exec(lowered) ?? [];
  if (providerId === undefined || modelId === undefined) return 'INVALID_SLUG';
  const provider = providers.get(providerId);
  if (provider === undefined) return 'UNKNOWN_PROVIDER';
  if (provider.openKinds.includes(kind)) {
    return { slug: lowered, provider, model: { id: modelId, kind, languages: 'any', voices: 'open' } };
  }
  const namesakes = provider.models.filter((model) => model.id === modelId);
  const model = namesakes.find((each) => each.kind === kind);
  if (model !== undefined) return { slug: lowered, provider, model };
  return namesakes.length > 0 || provider.openKinds.length > 0 ? 'WRONG_MODEL_KIND' : 'UNKNOWN_MODEL';
}

/** True if the model understands or speaks this plain code. */
export const speaks = (model: CatalogModel, languageCode: string): boolean =>
  model.languages === 'any' || model.languages.includes(languageCode);

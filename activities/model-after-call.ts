import { ApplicationFailure } from '@temporalio/common';
import { v7 as uuidv7 } from 'uuid';
import type { Db } from '../db/client.js';
import type { askedFor } from '../db/queries/calls/call-to-ask-about.js';
import type { ConversationRef } from '../db/queries/calls/conversation-of.js';
import { storeModelUsage } from '../db/queries/calls/model-usage.js';
import { secretPlaces } from '../domain/account/secret-places.js';
import { type ModelEndpoint, modelEndpoint } from '../domain/agent/model-endpoints.js';
import { type ChatTokens, NoAnswer } from '../platform/openai-protocol.js';
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
): { readonly slug: string; readonly endpoint: ModelEndpoint | 'unknown_model' | 'no_key' } {
  const place = secretPlaces.agentKey(accountId, versionId, keyPath);
  const ownKey = model !== undefined && keySealed !== null ? secretBox.open(keySealed, place) : undefined;
  const slug = model ?? defaultLlm ?? deploy.modelDefaults.llm;
  return { slug, endpoint: modelEndpoint('llm', slug, ownKey, languageModels) };
}

/**
 * What a model that gave no answer means for what was asked of it.
 *
 * @returns why it will not answer, however often it is asked
 * @throws ApplicationFailure if asking again later may help; any other error as it is
 */
export function refusalOf(error: unknown): 'unauthorized' | 'refused' {
  if (!(error instanceof NoAnswer)) throw error;
  if (error.transient) throw ApplicationFailure.retryable(error.message, error.name);
  return error.statusCode === 401 || error.statusCode === 403 ? 'unauthorized' : 'refused';
}

/** Counts what an answer of a model about a conversation has used. Whatever becomes of the answer, and however often it is asked anew, it is paid for. */
export const countAnswer = (
  db: Db,
  { accountId, callId, attempt }: ConversationRef & { readonly attempt: number },
  what: keyof typeof askedFor,
  model: string,
  tokens: ChatTokens,
): Promise<void> => {
  const used = { kind: 'llm' as const, model, ...tokens, audioSeconds: 0, characters: 0 };
  return storeModelUsage(db, { accountId, callId, source: `${what}/${attempt}/${uuidv7()}` }, [used]);
};

/**
 * Whether another conversation has followed the one of this attempt, and has what was said in its place.
 *
 * @param attempt undefined: the latest conversation was meant
 */
export const isFollowed = (attempt: number | undefined, call: { readonly attempt: number | null } | null): boolean =>
  attempt !== undefined && call !== null && call.attempt !== null && call.attempt > attempt;

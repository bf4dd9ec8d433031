import { baseUrlOf, customProvider, customUrls, customUrlVariable } from '../../domain/agent/model-endpoints.js';
import { modelProvider } from '../../domain/agent/models.js';
import type { ModelChoice } from '../../domain/session-plan/types.js';
import type { Env } from '../../platform/env.js';
import type { ModelAccess } from './models.js';

/** A server of the operator's own may need no key, but the protocol's clients insist on one. */
const noKey = 'none';

/**
 * Opens models with the caller's own keys, else with the service's from the environment.
 *
 * @param ownKeys keys of the version by their path in its config
 */
export function modelAccess(
  env: Env,
  ownKeys: ReadonlyMap<string, string>,
  variables: Readonly<Record<string, string | undefined>> = process.env,
): ModelAccess {
  const serviceKey = (choice: ModelChoice): string | undefined => {
    const variable = modelProvider(choice.provider)?.keyVariable ?? null;
    const key = variable === null ? '' : (variables[variable] ?? '');
    return key === '' ? undefined : key;
  };
  const urls = customUrls(env);
  return {
    keyOf(choice) {
      const own = choice.keyPath === null ? undefined : ownKeys.get(choice.keyPath);
      const key = own ?? serviceKey(choice) ?? (choice.provider === customProvider ? noKey : undefined);
      if (key === undefined) throw new Error(`there is no key for ${choice.provider}/${choice.model}`);
      return key;
    },
    baseUrlOf(provider, kind) {
      if (provider === customProvider) {
        const url = urls[kind];
        if (url === undefined) {
          throw new Error(`custom ${kind} models have no address: set ${customUrlVariable(kind)}`);
        }
        return url;
      }
      return kind === 'realtime' ? undefined : baseUrlOf(kind, provider);
    },
  };
}

import { secretPlaces } from '../../domain/account/secret-places.js';
import type { Db } from '../../db/client.js';
import type { AgentConfig } from '../../domain/agent-config/schema.js';
import type { AgentConfigContext } from '../../domain/agent-config/shared-settings.js';
import type { InvalidConfig, ValidConfig } from '../../domain/agent-config/validate.js';
import type { NewVersion } from '../../db/queries/agents/agents.js';
import { outboundUrlProblem } from '../../platform/outbound-url.js';
import type { AppDeps } from '../operation.js';
import { invalidRequest } from '../validation.js';
import { knownInConfig } from './references.js';

/** What a config may refer to, as far as this one does. @param db the transaction that is to see it; omitted: none */
export const configContext = async (
  { env, database }: AppDeps,
  accountId: string,
  config: unknown,
  db: Db = database.db,
): Promise<AgentConfigContext> => ({
  ...(await knownInConfig(db, accountId, config)),
  refuseUrl: (url) =>
    outboundUrlProblem(url, {
      allowPrivate: env.OUTDIAL_ALLOW_PRIVATE_WEBHOOKS,
      allowInsecure: env.OUTDIAL_ALLOW_INSECURE_WEBHOOKS,
    }),
});

/** The valid one, or a 400 that names everything wrong with it. */
export function requireValid<Valid extends ValidConfig>(result: Valid | InvalidConfig): Valid {
  if (!result.ok) throw invalidRequest(result.problems);
  return result;
}

/** A version as it is stored: the config shows masks, the keys behind them are sealed. */
export const newVersion = (
  { secretBox }: AppDeps,
  { accountId, ...version }: { readonly accountId: string; readonly versionId: string; readonly versionName: string },
  { config, secrets }: ValidConfig,
): NewVersion => ({
  ...version,
  config,
  secrets: secrets.map(({ path, value }) => ({
    path,
    sealed: secretBox.seal(value, secretPlaces.agentKey(accountId, version.versionId, path)),
  })),
});

/** A config as it was stored: what was valid then is answered as it is, also when the rules have become stricter. */
export const storedConfig = (config: unknown): AgentConfig => config as AgentConfig;

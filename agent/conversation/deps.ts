import type { Database } from '../../db/client.js';
import type { Env } from '../../platform/env.js';
import type { Logger } from '../../platform/logger.js';
import type { GuardedFetch } from '../../platform/outbound-url.js';
import type { SecretBox } from '../../platform/secret-box.js';

/** Connections and settings of the process of one conversation. */
export interface AgentDeps {
  readonly env: Env;
  readonly logger: Logger;
  readonly database: Database;
  readonly secretBox: SecretBox;
  readonly fetchOutside: GuardedFetch;
}

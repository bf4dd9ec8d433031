import { finished, type Readable } from 'node:stream';
import { type ActiveKey, findActiveKey } from '../../db/queries/accounts/keys.js';
import { isIssuedSince, revocationHash } from '../../platform/token.js';
import type { AppDeps, Caller } from '../operation.js';

/** How often it is asked during a long answer whether its token still counts. */
const askedEveryMs = 2_000;

/** Whether a token was revoked, alone or with all that its key signed before some time. */
export const isRevoked = (token: string, { revoked, tokensNotBefore }: ActiveKey): boolean =>
  revoked || (tokensNotBefore !== null && !isIssuedSince(token, tokensNotBefore));

/**
 * Ends an answer that is still being sent when its token is revoked, its key deactivated or its account suspended: a slow reader would
 * go on reading what the token may no longer see. A token that expires meanwhile was good when it asked, and reads to the end.
 */
export function endWithToken(answer: Readable, { keyId, token, accountId }: Caller, deps: AppDeps): void {
  const { logger, database } = deps;
  async function look(): Promise<void> {
    const key = await findActiveKey(database.db, keyId, revocationHash(token));
    if (key !== null && key.suspension === null && !isRevoked(token, key)) return;
    logger.info({ accountId, keyId }, 'an answer was ended, because its token no longer counts');
    answer.destroy(new Error('The API token no longer counts.'));
  }
  const timer = setInterval(() => {
    look().catch((error: unknown) =>
      logger.warn({ err: error, accountId, keyId }, 'the token of an answer could not be looked up again'),
    );
  }, askedEveryMs);
  timer.unref();
  finished(answer, () => clearInterval(timer));
}

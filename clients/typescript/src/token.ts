import { SignJWT } from 'jose';

/** A key of the account, as `POST /v1/account/keys` answers it. */
export interface ApiKey {
  /** `key_…` */
  readonly id: string;
  readonly secret: string;
}

/**
 * Signs short tokens with a key, a new one once half of the last one's life is over.
 *
 * @param lifeSeconds how long each is valid; no longer than OUTDIAL_MAX_TOKEN_SECONDS of the service
 */
export function tokensOf(key: ApiKey, lifeSeconds: number): () => Promise<string> {
  const secret = new TextEncoder().encode(key.secret);
  let token: Promise<string> | undefined;
  let signedAt = 0;
  return () => {
    const now = Math.floor(Date.now() / 1000);
    if (token === undefined || now - signedAt >= lifeSeconds / 2) {
      signedAt = now;
      token = new SignJWT({ apikey: key.id })
        .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
        .setIssuedAt(now)
        .setExpirationTime(now + lifeSeconds)
        .sign(secret);
    }
    return token;
  };
}

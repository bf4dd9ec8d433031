import { createHash } from 'node:crypto';
import { decodeJwt, errors, jwtVerify, SignJWT } from 'jose';

export interface TokenClaims {
  /** Public id of the API key that signed it: `key_…`. */
  readonly keyId: string;
  /** Omitted: everything. Unknown words are kept and allow nothing. */
  readonly permissions?: readonly string[];
  /** Omitted: of every agent. Otherwise only operations on this one, `agt_…`, are allowed. */
  readonly agentId?: string;
}

/** Why a token does not count. The message is for the client and tells nothing of other accounts. */
export class InvalidToken extends Error {
  override readonly name = 'InvalidToken';
}

// An unknown key, a deactivated one and a wrong signature sound the same: the answer must not tell which keys exist.
const notAccepted = () => new InvalidToken('The API token is not valid.');

/** The signed part of a secret: the text as shown to its owner, so that any JWT library signs the same. */
const keyOf = (secret: string): Uint8Array => new TextEncoder().encode(secret);

export interface TokenRequest extends TokenClaims {
  /** Omitted: the token does not expire. */
  readonly ttlSeconds?: number;
}

/** Signs a token (HS256) with an API key's secret. */
export async function signToken(secret: string, request: TokenRequest, now = new Date()): Promise<string> {
  const issuedAt = Math.floor(now.getTime() / 1000);
  const token = new SignJWT({
    apikey: request.keyId,
    ...(request.permissions === undefined ? {} : { permissions: [...request.permissions] }),
    ...(request.agentId === undefined ? {} : { agent: request.agentId }),
  })
    .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
    .setIssuedAt(issuedAt);
  if (request.ttlSeconds !== undefined) token.setExpirationTime(issuedAt + request.ttlSeconds);
  return token.sign(keyOf(secret));
}

/** Longer than any token that this service signs; a claim of a client's own fits too. */
const longestToken = 8_192;
/** Public id of a key: other texts are not looked up. */
const keyIdForm = /^key_[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

function claimedKey(token: string): string {
  if (token.length > longestToken) throw notAccepted();
  try {
    const { apikey } = decodeJwt(token);
    if (typeof apikey === 'string' && keyIdForm.test(apikey)) return apikey;
  } catch {
    // Not a JWT at all: answered like every other token that does not count.
  }
  throw notAccepted();
}

function permissionsOf(claim: unknown): { permissions?: readonly string[] } {
  if (claim === undefined) return {};
  if (!Array.isArray(claim) || !claim.every((word) => typeof word === 'string')) throw notAccepted();
  return { permissions: claim };
}

function agentOf(claim: unknown): { agentId?: string } {
  if (claim === undefined) return {};
  if (typeof claim !== 'string') throw notAccepted();
  return { agentId: claim };
}

/** By what a token is known as revoked: all that is signed, since the signature itself can be spelled in several ways. */
export const revocationHash = (token: string): string =>
  createHash('sha256').update(token.split('.').slice(0, 2).join('.')).digest('hex');

/** Seconds that a verified token lives from its issue, or from now if it does not say when that was. */
export function lifeSecondsOf(token: string, now: Date): number {
  const { exp, iat } = decodeJwt(token);
  if (exp === undefined) return Infinity;
  const nowSeconds = Math.floor(now.getTime() / 1000);
  return exp - Math.min(iat ?? nowSeconds, nowSeconds);
}

/** When a verified token says that it was issued, in seconds since 1970: any number, or null if it does not say. */
export const issuedSecondsOf = (token: string): number | null => decodeJwt(token).iat ?? null;

/** Whether a verified token was issued at this time or later. One that does not say when it was issued was not. */
export function isIssuedSince(token: string, notBefore: Date): boolean {
  const issuedSeconds = issuedSecondsOf(token);
  return issuedSeconds !== null && issuedSeconds * 1000 >= notBefore.getTime();
}

/** When a verified token expires, or null if it never does. */
export function expiryOf(token: string): Date | null {
  const { exp } = decodeJwt(token);
  return exp === undefined ? null : new Date(exp * 1000);
}

/**
 * Verifies a raw token. The algorithm is pinned to HS256: neither `none` nor another family's key is ever considered.
 *
 * @param secretOf secret of an active key, or null if there is none
 * @throws InvalidToken whatever is wrong with it
 */
export async function verifyToken(
  token: string,
  secretOf: (keyId: string) => Promise<string | null>,
  now = new Date(),
): Promise<TokenClaims> {
  const keyId = claimedKey(token);
  const secret = await secretOf(keyId);
  if (secret === null) throw notAccepted();
  try {
    const { payload } = await jwtVerify(token, keyOf(secret), { algorithms: ['HS256'], currentDate: now });
    return { keyId, ...permissionsOf(payload.permissions), ...agentOf(payload.agent) };
  } catch (error) {
    if (error instanceof errors.JWTExpired) throw new InvalidToken('The API token has expired.');
    if (error instanceof errors.JOSEError) throw notAccepted();
    throw error;
  }
}

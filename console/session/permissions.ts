/** What a token says of itself. It is not verified here: the API does that with every request. */
export interface Claims {
  readonly keyId: string | null;
  /** Null: everything. */
  readonly permissions: readonly string[] | null;
}

/** Reads what a token claims; a text that is none claims nothing. */
export function claimsOf(token: string): Claims {
  const nothing = { keyId: null, permissions: null };
  try {
    const base64 = (token.split('.')[1] ?? '').replaceAll('-', '+').replaceAll('_', '/');
    const claims: unknown = JSON.parse(atob(base64));
    if (typeof claims !== 'object' || claims === null) return nothing;
    const { apikey, permissions } = claims as { apikey?: unknown; permissions?: unknown };
    return {
      keyId: typeof apikey === 'string' ? apikey : null,
      permissions: Array.isArray(permissions) ? permissions.filter((word) => typeof word === 'string') : null,
    };
  } catch {
    return nothing;
  }
}

/** Whether both the token and its key allow this. */
export const allowed = (word: 'operate' | 'listen', ...both: readonly (readonly string[] | null)[]): boolean =>
  both.every((permissions) => permissions === null || permissions.includes(word));

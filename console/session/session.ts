import { useSyncExternalStore } from 'react';
import { answered, client, onTokenRefused } from '../api/client.js';
import { queryClient } from '../api/queries.js';
import { wordsOf } from '../api/refused.js';
import { currentToken, keepToken } from '../api/token.js';
import { isAnythingBegun } from '../ui/unsaved.js';
import { allowed, claimsOf } from './permissions.js';

interface OpenSession {
  readonly kind: 'open';
  readonly accountId: string;
  readonly accountName: string;
  /** False for a token that may only read: what changes something is not offered. */
  readonly mayOperate: boolean;
  /** Whether live calls may be heard and their agents told something. */
  readonly mayListen: boolean;
  /** Why its token is refused, while the page with what was typed on it waits for another one; null: it is not refused. */
  readonly refused: string | null;
}

/** Who works with this tab. */
export type Session =
  { readonly kind: 'closed'; readonly words: string | null } | { readonly kind: 'opening' } | OpenSession;

let session: Session = currentToken() === null ? { kind: 'closed', words: null } : { kind: 'opening' };
const listeners = new Set<() => void>();

function become(next: Session): void {
  session = next;
  for (const listener of listeners) listener();
}

/** What the token's key allows. A key that is not found counts as allowing all: the API refuses what it does not. */
async function permissionsOfKey(
  keyId: string | null,
  headers: { readonly authorization: string },
): Promise<readonly string[] | null> {
  if (keyId === null) return null;
  for (let page = 1; ; page += 1) {
    const query = { page, perPage: 100 };
    const { data, pageInfo } = await answered(client.GET('/v1/account/keys', { params: { query }, headers }));
    const own = data.find((key) => key.keyId === keyId);
    if (own !== undefined) return own.permissions ?? null;
    if (page >= pageInfo.lastPage) return null;
  }
}

/** @throws Refused if the API does not take the token */
async function sessionOf(token: string): Promise<OpenSession> {
  const headers = { authorization: token };
  const account = await answered(client.GET('/v1/account', { headers }));
  const { keyId, permissions } = claimsOf(token);
  const ofKey = await permissionsOfKey(keyId, headers);
  return {
    kind: 'open',
    accountId: account.accountId,
    accountName: account.name,
    mayOperate: allowed('operate', permissions, ofKey),
    mayListen: allowed('listen', permissions, ofKey),
    refused: null,
  };
}

/** Signs in with a token, if the API takes it. */
export async function openSession(token: string): Promise<void> {
  become({ kind: 'opening' });
  try {
    const next = await sessionOf(token);
    keepToken(token);
    become(next);
  } catch (error) {
    closeSession(wordsOf(error));
  }
}

/**
 * Goes on with another token after the one before has been refused: the page stays as it is.
 *
 * @returns why the token cannot be used for this; null: it is used from now on
 */
export async function continueSession(token: string): Promise<string | null> {
  const before = session;
  if (before.kind !== 'open') return null;
  let next: OpenSession;
  try {
    next = await sessionOf(token);
  } catch (error) {
    return wordsOf(error);
  }
  if (next.accountId !== before.accountId) {
    return `This token is of another account (${next.accountName}). What you have typed belongs to ${before.accountName}.`;
  }
  if (before.mayOperate && !next.mayOperate) {
    return 'This token may only read, so what you have typed could not be saved with it.';
  }
  keepToken(token);
  become(next);
  void queryClient.invalidateQueries();
  return null;
}

/** Signs out: the token is forgotten, and everything that it has shown. */
export function closeSession(words: string | null = null): void {
  keepToken(null);
  queryClient.clear();
  become({ kind: 'closed', words });
}

onTokenRefused((words) => {
  if (session.kind !== 'open' || session.refused !== null) return;
  if (isAnythingBegun()) {
    // The page stays with what was typed on it, and asks for another token.
    keepToken(null);
    become({ ...session, refused: words });
  } else {
    closeSession(words);
  }
});

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

/** The session of this tab, as it changes. */
export const useSession = (): Session => useSyncExternalStore(subscribe, () => session);

/** Whether to offer what changes something. */
export function useMayOperate(): boolean {
  const now = useSession();
  return now.kind === 'open' && now.mayOperate;
}

/** Whether to offer listening to live calls, and whispering to their agents. */
export function useMayListen(): boolean {
  const now = useSession();
  return now.kind === 'open' && now.mayListen;
}

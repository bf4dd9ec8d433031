import { useSyncExternalStore } from 'react';
import { answered, client, onTokenRefused } from '../api/client.js';
import { queryClient } from '../api/queries.js';
import { wordsOf } from '../api/refused.js';
import { currentToken, keepToken } from '../api/token.js';
import { allowed, claimsOf } from './permissions.js';

/** Who works with this tab. */
export type Session =
  | { readonly kind: 'closed'; readonly words: string | null }
  | { readonly kind: 'opening' }
  | {
      readonly kind: 'open';
      readonly accountId: string;
      readonly accountName: string;
      /** False for a token that may only read: what changes something is not offered. */
      readonly mayOperate: boolean;
      /** Whether live calls may be heard and their agents told something. */
      readonly mayListen: boolean;
    };

let session: Session = currentToken() === null ? { kind: 'closed', words: null } : { kind: 'opening' };
const listeners = new Set<() => void>();

function become(next: Session): void {
  session = next;
  for (const listener of listeners) listener();
}

/** What the token's key allows. A key that is not found counts as allowing all: the API refuses what it does not. */
async function permissionsOfKey(keyId: string | null): Promise<readonly string[] | null> {
  if (keyId === null) return null;
  for (let page = 1; ; page += 1) {
    const query = { page, perPage: 100 };
    const { data, pageInfo } = await answered(client.GET('/v1/account/keys', { params: { query } }));
    const own = data.find((key) => key.keyId === keyId);
    if (own !== undefined) return own.permissions ?? null;
    if (page >= pageInfo.lastPage) return null;
  }
}

/** Signs in with a token, if the API takes it. */
export async function openSession(token: string): Promise<void> {
  become({ kind: 'opening' });
  keepToken(token);
  try {
    const account = await answered(client.GET('/v1/account'));
    const { keyId, permissions } = claimsOf(token);
    const ofKey = await permissionsOfKey(keyId);
    become({
      kind: 'open',
      accountId: account.accountId,
      accountName: account.name,
      mayOperate: allowed('operate', permissions, ofKey),
      mayListen: allowed('listen', permissions, ofKey),
    });
  } catch (error) {
    closeSession(wordsOf(error));
  }
}

/** Signs out: the token is forgotten, and everything that it has shown. */
export function closeSession(words: string | null = null): void {
  keepToken(null);
  queryClient.clear();
  become({ kind: 'closed', words });
}

onTokenRefused((words) => {
  if (session.kind === 'open') closeSession(words);
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

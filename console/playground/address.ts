/** What the address of the page says. */
interface Visit {
  readonly agentId: string;
  /** The token of the fragment; null if it has none, as after a reload. */
  readonly token: string | null;
}

/**
 * Reads the address and takes the token out of it at once, so that it stays neither in the address bar nor in the history
 * of this tab, and is not copied by accident.
 */
export function readAddress(): Visit {
  const { pathname, hash } = window.location;
  const token = new URLSearchParams(hash.slice(1)).get('token');
  if (hash !== '') window.history.replaceState(null, '', pathname);
  const agentId = decodeURIComponent(pathname.split('/')[2] ?? '');
  return { agentId, token: token === null || token === '' ? null : token };
}

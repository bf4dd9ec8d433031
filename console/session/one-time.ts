/** What `outdial up` puts behind # in the address that signs in once. */
const form = /^#code=([\w-]{20,100})$/;

/** The one-time code of the address, which it leaves at once; null: there is none. */
export function takeCode(): string | null {
  const [, code] = form.exec(window.location.hash) ?? [];
  if (code === undefined) return null;
  window.history.replaceState(window.history.state, '', window.location.pathname + window.location.search);
  return code;
}

/**
 * Exchanges a one-time code for a token.
 *
 * @throws Error with words for a person
 */
export async function redeemCode(code: string): Promise<string> {
  const response = await fetch('/console/sign-in', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ code }),
  });
  const body = (await response.json()) as { readonly token?: string; readonly error?: string };
  if (body.token !== undefined) return body.token;
  throw new Error(body.error ?? 'The sign-in address was not accepted.');
}

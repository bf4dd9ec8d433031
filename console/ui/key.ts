import { useRef } from 'react';

/** 128 random bits as text. `crypto.randomUUID` is not there on a page that is served without TLS. */
const randomKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');

/**
 * Idempotency-Keys: the same content gets the same key until it is renewed, so that a second click, and a request whose answer was
 * lost, do nothing twice.
 */
export function useKey(): { readonly keyFor: (content: string) => string; readonly renew: () => void } {
  const last = useRef({ content: '', key: '' });
  return {
    keyFor(content) {
      if (last.current.key === '' || last.current.content !== content) last.current = { content, key: randomKey() };
      return last.current.key;
    },
    renew() {
      last.current = { content: '', key: '' };
    },
  };
}

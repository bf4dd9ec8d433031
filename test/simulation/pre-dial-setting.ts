import type { PreDial } from '../../domain/batch/pre-dial.js';

/** How long an endpoint that is asked before calls may take. */
export const preDialTimeoutMs = 1_000;

export const preDialOf = (onError: PreDial['onError']): PreDial => ({
  ...{ url: 'https://example.com/pre-dial', timeoutMs: preDialTimeoutMs, onError },
});

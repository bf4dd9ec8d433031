import { z } from 'zod';
import { secretPlaces } from '../../domain/account/secret-places.js';
import { looksMasked, maskKey } from '../../domain/agent/masked-key.js';
import type { SecretBox } from '../../platform/secret-box.js';

const mostHeaders = 50;
/** A token of RFC 9110. */
const headerName = /^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,100}$/;
const headerValue = /^[\x20-\x7e]{1,4096}$/;

/** What the connection and the body decide. */
const ours = new Set([
  'connection',
  'content-length',
  'content-type',
  'expect',
  'host',
  'keep-alive',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

function headerProblem(name: string, value: string): { readonly message: string; readonly code?: string } | null {
  if (!headerName.test(name)) return { message: 'is not the name of an HTTP header' };
  if (ours.has(name.toLowerCase())) return { message: 'is a header that the service sets itself' };
  if (looksMasked(value)) {
    return { message: 'is masked: send the value itself, or leave headers out to keep them', code: 'MASKED_API_KEY' };
  }
  if (!headerValue.test(value)) return { message: 'must be 1 to 4096 printable ASCII characters on one line' };
  return null;
}

/** HTTP headers of a client's own. */
export const toolHeaders = () =>
  z.record(z.string(), z.string()).superRefine((headers, context) => {
    const entries = Object.entries(headers);
    if (entries.length > mostHeaders) {
      context.addIssue({ code: 'custom', message: `must have at most ${mostHeaders} entries` });
    }
    const seen = new Set<string>();
    for (const [name, value] of entries) {
      const problem = seen.has(name.toLowerCase())
        ? { message: 'is there already in another casing' }
        : headerProblem(name, value);
      seen.add(name.toLowerCase());
      if (problem === null) continue;
      const { message, ...params } = problem;
      context.addIssue({ code: 'custom', path: [name], message, params });
    }
  });

/** Headers as they are stored: what answers show, and the values themselves, sealed. */
export const sealedHeaders = (
  secretBox: SecretBox,
  tool: { readonly accountId: string; readonly toolId: string },
  headers: Readonly<Record<string, string>>,
): { readonly headers: string; readonly headers_sealed: string | null } => {
  const masked = Object.entries(headers).map(([name, value]) => [name, maskKey(value)] as const);
  return {
    headers: JSON.stringify(Object.fromEntries(masked)),
    headers_sealed:
      masked.length === 0
        ? null
        : secretBox.seal(JSON.stringify(headers), secretPlaces.toolHeaders(tool.accountId, tool.toolId)),
  };
};

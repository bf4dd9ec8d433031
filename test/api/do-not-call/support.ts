import { csv, fields, multipart, type Part } from '../batch-calls/support.js';
import { api, type RequestOptions } from '../support.js';

export const url = '/v1/do-not-call';

/** POST /v1/do-not-call with a file of this text, and these fields. */
export function sendFile(text: string, values: Readonly<Record<string, unknown>> = {}, options: RequestOptions = {}) {
  return sendParts([csv(text, 'numbers.csv'), ...fields(values)], options);
}

export function sendParts(parts: readonly Part[], options: RequestOptions = {}) {
  const { body, contentType } = multipart(parts);
  return api.post(url, body, { ...options, headers: { 'content-type': contentType, ...options.headers } });
}

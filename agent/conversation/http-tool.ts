import type { JsonObject } from '../../domain/input/json-value.js';
import type { ToolMethod } from '../../domain/agent/tool.js';
import { toolRequest } from '../../domain/agent/tool-request.js';
import type { GuardedFetch } from '../../platform/outbound-url.js';
import { withTimeLimit } from '../../platform/time-limit.js';

/** An account's HTTP tool, its headers opened. */
export interface HttpTool {
  readonly name: string;
  readonly description: string;
  /** JSON Schema of an object. */
  readonly parameters: Record<string, unknown>;
  readonly method: ToolMethod;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly timeoutSeconds: number;
}

/** Of an answer, what a model is shown. */
const mostCharacters = 16_000;
const mostBytes = 256_000;

async function textOf(body: AsyncIterable<Uint8Array> | null): Promise<string> {
  if (body === null) return '';
  const decoder = new TextDecoder();
  let text = '';
  let bytes = 0;
  for await (const chunk of body) {
    bytes += chunk.length;
    text += decoder.decode(chunk, { stream: true });
    // Leaving the loop ends the connection.
    if (text.length >= mostCharacters || bytes >= mostBytes) break;
  }
  return text.slice(0, mostCharacters);
}

/** Why it went wrong, for a model: no address or header of the tool is in it. */
const failure = (error: unknown): string =>
  error instanceof Error && error.name === 'TimeoutError'
    ? 'The request took too long.'
    : 'The request failed: the server could not be reached.';

/**
 * Calls a tool for a model. Never rejects: what went wrong is the answer, and the model decides what to say.
 *
 * @param signal ends the request when the call is over
 */
export async function callHttpTool(
  tool: HttpTool,
  args: JsonObject,
  fetchOutside: GuardedFetch,
  signal: AbortSignal,
): Promise<string> {
  try {
    const { url, method, body } = toolRequest(tool, args);
    const response = await fetchOutside(url, {
      method,
      headers: { ...(body === null ? {} : { 'content-type': 'application/json' }), ...tool.headers },
      body,
      signal: withTimeLimit(signal, tool.timeoutSeconds * 1000),
    });
    return JSON.stringify({ status: response.status, body: await textOf(response.body) });
  } catch (error) {
    return JSON.stringify({ error: failure(error) });
  }
}

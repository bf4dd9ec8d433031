import type { JsonObject } from '../input/json-value.js';
import { placeholdersIn, type ToolMethod } from './tool.js';

/** An HTTP request that calls a tool. */
export interface ToolRequest {
  readonly url: string;
  readonly method: ToolMethod;
  /** JSON; null: none. */
  readonly body: string | null;
}

const textOf = (value: unknown): string =>
  typeof value === 'string' ? value : value === undefined ? '' : JSON.stringify(value);

/** @throws if the argument would climb out of its place in the path, which no encoding prevents */
function encoded(name: string, value: unknown): string {
  const text = textOf(value);
  if (/^\.{1,2}$/.test(text)) throw new Error(`${name} cannot be ${text}`);
  return encodeURIComponent(text);
}

/**
 * The request for the arguments that a model gave: those with a placeholder go there, the others into the query of GET and
 * DELETE and into the JSON body of the rest.
 *
 * @throws if an argument cannot be in the URL
 */
export function toolRequest(
  tool: { readonly method: ToolMethod; readonly url: string },
  args: JsonObject,
): ToolRequest {
  const placed = new Set(placeholdersIn(tool.url));
  const filled = tool.url.replace(/\{([^{}]*)\}/g, (_whole, name: string) => encoded(name, args[name]));
  const rest = Object.entries(args).filter(([name, value]) => !placed.has(name) && value !== undefined);
  if (tool.method !== 'GET' && tool.method !== 'DELETE') {
    return { url: filled, method: tool.method, body: JSON.stringify(Object.fromEntries(rest)) };
  }
  const url = new URL(filled);
  for (const [name, value] of rest) url.searchParams.append(name, textOf(value));
  return { url: url.href, method: tool.method, body: null };
}

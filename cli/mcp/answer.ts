import { randomUUID } from 'node:crypto';
import type { Client } from '../client/client.js';
import { wrongUsage } from '../client/exit-codes.js';
import type { Tool } from './tools.js';

export type Arguments = Readonly<Record<string, unknown>>;

/** More than this fills the memory of a language model without being read. */
const longestAnswer = 60_000;

/** Asks the service what a tool stands for. @throws CommandFailed with the words of the service */
export async function answerOf(client: Client, tool: Tool, given: Arguments, idempotencyKey?: string): Promise<string> {
  const path = addressOf(tool, given);
  const search = new URLSearchParams(
    tool.inQuery.filter((name) => isGiven(given[name])).map((name): [string, string] => [name, textIn(given, name)]),
  ).toString();
  const headers = new Headers(tool.hasBody ? { 'content-type': 'application/json' } : {});
  if (tool.takesKey) headers.set('idempotency-key', idempotencyKey ?? randomUUID());
  const body = tool.hasBody ? { body: JSON.stringify(given.body ?? {}) } : {};
  const text = await client.text(tool.method, search === '' ? path : `${path}?${search}`, { headers, ...body });
  return shortened(withoutTokens(text));
}

/** The path of a request. @throws CommandFailed for arguments that the tool does not take, and for parts of its path that are missing */
export function addressOf(tool: Tool, given: Arguments): string {
  const known = [...tool.inPath, ...tool.inQuery, ...(tool.hasBody ? ['body'] : [])];
  const unknown = Object.keys(given).find((name) => !known.includes(name));
  if (unknown !== undefined) throw wrongUsage(`${unknown}: ${tool.name} takes ${known.join(', ') || 'no arguments'}.`);
  return pathWith(tool.path, given);
}

/** A path of the API with its parameters filled in. */
export const pathWith = (path: string, given: Arguments): string =>
  path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const text = textIn(given, name);
    // URLs take these for folders: the request would be another operation.
    if (text === '.' || text === '..') throw wrongUsage(`${name}: "${text}" is no id.`);
    return encodeURIComponent(text);
  });

/** Language models also write null or an empty text for what they leave out. */
const isGiven = (value: unknown): boolean => value !== undefined && value !== null && value !== '';

function textIn(given: Arguments, name: string): string {
  const value = given[name];
  if (!isGiven(value)) throw wrongUsage(`${name}: is required.`);
  if (typeof value === 'string') return value;
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  if (Array.isArray(value)) return value.join(',');
  throw wrongUsage(`${name}: must be a text.`);
}

/** The address of the playground has the token of the caller in it. */
const withoutTokens = (text: string): string => text.replace(/"playgroundUrl":"[^"]*",|,?"playgroundUrl":"[^"]*"/g, '');

const shortened = (text: string): string =>
  text.length <= longestAnswer
    ? text
    : `${text.slice(0, longestAnswer)}\n… ${text.length - longestAnswer} characters more are not shown. Ask for less, with perPage or filters.`;

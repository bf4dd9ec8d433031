import { randomUUID } from 'node:crypto';
import type { Client } from '../client/client.js';
import { wrongUsage } from '../client/exit-codes.js';
import { refused } from '../client/refusal.js';
import type { Tool } from './tools.js';

export type Arguments = Readonly<Record<string, unknown>>;

/** More than this fills the memory of a language model without being read. */
const longestAnswer = 60_000;

/** Asks the service what a tool stands for. @throws CommandFailed with the words of the service */
export async function answerOf(client: Client, tool: Tool, given: Arguments, idempotencyKey?: string): Promise<string> {
  const known = [...tool.inPath, ...tool.inQuery, ...(tool.hasBody ? ['body'] : [])];
  const unknown = Object.keys(given).find((name) => !known.includes(name));
  if (unknown !== undefined) throw wrongUsage(`${unknown}: ${tool.name} takes ${known.join(', ') || 'no arguments'}.`);
  const path = tool.path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(textIn(given, name)));
  const search = new URLSearchParams(
    tool.inQuery
      .filter((name) => given[name] !== undefined)
      .map((name): [string, string] => [name, textIn(given, name)]),
  ).toString();
  const headers = new Headers(tool.hasBody ? { 'content-type': 'application/json' } : {});
  if (tool.takesKey) headers.set('idempotency-key', idempotencyKey ?? randomUUID());
  const body = tool.hasBody ? { body: JSON.stringify(given.body ?? {}) } : {};
  const answer = await client.send(tool.method, search === '' ? path : `${path}?${search}`, { headers, ...body });
  if (!answer.ok) throw await refused(answer, client.connection.url);
  return shortened(withoutTokens(await answer.text()));
}

function textIn(given: Arguments, name: string): string {
  const value = given[name];
  if (typeof value === 'string' && value !== '') return value;
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  if (Array.isArray(value)) return value.join(',');
  throw wrongUsage(`${name}: is required, as a text.`);
}

/** The address of the playground has the token of the caller in it. */
const withoutTokens = (text: string): string => text.replace(/,?"playgroundUrl":"[^"]*"/g, '');

const shortened = (text: string): string =>
  text.length <= longestAnswer
    ? text
    : `${text.slice(0, longestAnswer)}\n… ${text.length - longestAnswer} characters more are not shown. Ask for less, with perPage or filters.`;

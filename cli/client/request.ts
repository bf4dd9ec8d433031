import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { z } from 'zod';
import type { RequestFlags } from '../commands/request.js';
import { type Client, clientOf, piecesOf, wholeText } from './client.js';
import { wrongUsage } from './exit-codes.js';
import { printRows } from './output.js';
import { refused } from './refusal.js';

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];

/** `outdial api METHOD PATH`, and `outdial api --list`. */
export async function request(
  method: string | undefined,
  path: string | undefined,
  flags: RequestFlags,
): Promise<void> {
  if (flags.list === true) {
    if (method !== undefined) throw wrongUsage('--list takes no request.');
    await listOperations(await clientOf(flags), flags);
    return;
  }
  const made = await requestOf(method ?? '', path, flags);
  await sendRequest(await clientOf(flags), made);
}

interface Made {
  readonly method: string;
  readonly path: string;
  readonly headers: Headers;
  readonly body?: string | FormData;
}

/** The request that the command line stands for. @throws CommandFailed if it stands for none */
export async function requestOf(
  word: string,
  path: string | undefined,
  { field: fields = [], header = [], input }: Pick<RequestFlags, 'field' | 'header' | 'input'>,
): Promise<Made> {
  const method = word.toUpperCase();
  if (!methods.includes(method)) throw wrongUsage(`${word} is no method: use one of ${methods.join(', ')}.`);
  if (path === undefined || !path.startsWith('/') || path.startsWith('//')) {
    throw wrongUsage(
      'The path of an operation begins with a slash, such as /v1/account. `outdial api --list` lists them.',
    );
  }
  const headers = headersOf(header);
  if (input !== undefined) {
    if (fields.length > 0) throw wrongUsage('--input is the whole body: it goes with no --field.');
    headers.set('content-type', 'application/json');
    return { method, path, headers, body: input === '-' ? await text(process.stdin) : readGiven(input) };
  }
  const pairs = fields.map(pairOf);
  if (pairs.length === 0) {
    if (method === 'GET' || method === 'DELETE') return { method, path, headers };
    headers.set('content-type', 'application/json');
    return { method, path, headers, body: '{}' };
  }
  if (method === 'GET' || method === 'DELETE') {
    const search = new URLSearchParams(pairs.map(([name, value]): [string, string] => [name, value])).toString();
    return { method, path: `${path}${path.includes('?') ? '&' : '?'}${search}`, headers };
  }
  if (pairs.some(([, value]) => value.startsWith('@'))) return { method, path, headers, body: await formOf(pairs) };
  headers.set('content-type', 'application/json');
  return {
    method,
    path,
    headers,
    body: JSON.stringify(Object.fromEntries(pairs.map(([name, value]) => [name, valueOf(value)]))),
  };
}

type Pair = readonly [name: string, value: string];

/** `name=value`. @throws CommandFailed */
export function pairOf(given: string): Pair {
  const at = given.indexOf('=');
  if (at < 1) throw wrongUsage(`${given}: must be name=value.`);
  return [given.slice(0, at), given.slice(at + 1)];
}

/** What an option says, null for `none`. */
export const noneAsNull = <Given>(given: Given): Exclude<Given, 'none'> | null =>
  given === 'none' ? null : (given as Exclude<Given, 'none'>);

function headersOf(given: readonly string[]): Headers {
  const headers = new Headers();
  for (const each of given) {
    const [, name = '', value = ''] = /^([\w-]+):\s*(.*)$/.exec(each) ?? [];
    if (name === '') throw wrongUsage('--header: must be name: value.');
    if (name.toLowerCase() === 'authorization') {
      throw wrongUsage(
        '--header: the token comes from `outdial login` or OUTDIAL_TOKEN, because other processes can read arguments.',
      );
    }
    headers.append(name, value);
  }
  return headers;
}

/** JSON if it is that, otherwise a text. */
function valueOf(value: string): unknown {
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
}

async function formOf(pairs: readonly Pair[]): Promise<FormData> {
  const form = new FormData();
  for (const [name, value] of pairs) {
    if (value.startsWith('@')) form.append(name, await fileToSend(value.slice(1)), basename(value.slice(1)));
    else form.append(name, value);
  }
  return form;
}

/** A file as a form carries it. @throws CommandFailed that names the file */
export async function fileToSend(path: string): Promise<Blob> {
  try {
    return new Blob([new Uint8Array(await readFile(path))]);
  } catch (error) {
    throw wrongUsage(`${path} cannot be read: ${error instanceof Error ? error.message : String(error)}`);
  }
}

/** The text of a file. @throws CommandFailed that names the file */
export function readGiven(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw wrongUsage(`${path} cannot be read: ${error instanceof Error ? error.message : String(error)}`);
  }
}

async function sendRequest(client: Client, { method, path, headers, body }: Made): Promise<void> {
  const answer = await client.send(method, path, { headers, ...(body === undefined ? {} : { body }) });
  if (!answer.ok) throw await refused(answer, client.connection.url);
  const isJson = (answer.headers.get('content-type') ?? '').includes('json');
  if (!isJson) {
    await pipeline(piecesOf(answer, client.connection.url), process.stdout, { end: false });
    return;
  }
  const json = await wholeText(answer, client.connection.url);
  console.log(process.stdout.isTTY ? JSON.stringify(JSON.parse(json), null, 2) : json);
}

const Document = z.looseObject({
  paths: z.record(z.string(), z.record(z.string(), z.looseObject({ operationId: z.string(), summary: z.string() }))),
});

async function listOperations(client: Client, flags: RequestFlags): Promise<void> {
  const answer = await client.send('GET', '/openapi.json');
  if (!answer.ok) throw await refused(answer, client.connection.url);
  const { paths } = Document.parse(await answer.json());
  const rows = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { operationId, summary }]) => ({
      ...{ operationId, method: method.toUpperCase(), path, summary },
    })),
  );
  const columns = { Method: 'method', Path: 'path', Operation: 'operationId', 'What it does': 'summary' };
  printRows(rows, { id: 'operationId', columns }, flags);
}

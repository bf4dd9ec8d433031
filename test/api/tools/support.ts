import { api, type RequestOptions } from '../support.js';

let made = 0;

export interface ToolAnswer {
  readonly toolId: string;
  readonly name: string;
  readonly description: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly createdAt: string;
  readonly updatedAt: string;
}

/** Body of POST /v1/tools that is accepted, under a name that no other test of the file has. */
export const toolBody = (change: object = {}) => ({
  name: `tool_${(made += 1)}`,
  description: 'Finds an order.',
  url: 'https://api.example.com/orders',
  ...change,
});

/** A tool made through the API. */
export async function aTool(change: object = {}, options: RequestOptions = {}): Promise<ToolAnswer> {
  const { status, body, text } = await api.post('/v1/tools', toolBody(change), options);
  if (status !== 201) throw new Error(`No tool: ${text}`);
  return body as ToolAnswer;
}

/** The problems of a 400, as `path CODE`. */
export const problemsIn = (body: unknown): string[] =>
  (body as { errors: { path: string; code: string }[] }).errors.map(({ path, code }) => `${path} ${code}`);

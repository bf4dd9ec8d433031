import { z } from 'zod';

/** The public HTTP API as any customer has it. */
export interface Api {
  readonly url: string;
  get<S extends z.ZodType>(path: string, schema: S): Promise<z.output<S>>;
  post<S extends z.ZodType>(path: string, body: object | FormData, schema: S): Promise<z.output<S>>;
  put<S extends z.ZodType>(path: string, body: object, schema: S): Promise<z.output<S>>;
  /** Items of a list over its pages, at most `most`. */
  list<S extends z.ZodType>(path: string, item: S, most: number): Promise<z.output<S>[]>;
}

const perPage = 100;
const page = z.object({ pageInfo: z.object({ lastPage: z.number() }), data: z.array(z.unknown()) });

/** @throws Error with method, path, status and body if an answer is not a 2xx or not of the given shape */
export function createApi(url: string, token: string): Api {
  async function ask<S extends z.ZodType>(path: string, init: RequestInit, schema: S): Promise<z.output<S>> {
    const headers = new Headers(init.headers);
    headers.set('authorization', token);
    const asked = `${init.method ?? 'GET'} ${new URL(path, url).href}`;
    const response = await fetch(new URL(path, url), { ...init, headers, signal: AbortSignal.timeout(60_000) }).catch(
      (error: unknown) => {
        throw new Error(`${asked} was not answered.`, { cause: error });
      },
    );
    const text = await response.text();
    const what = `${asked} answered ${response.status}`;
    if (!response.ok) throw new Error(`${what}: ${text}`);
    const parsed = schema.safeParse(JSON.parse(text));
    if (!parsed.success)
      throw new Error(`${what} with something else than documented: ${z.prettifyError(parsed.error)}`);
    return parsed.data;
  }
  const get: Api['get'] = (path, schema) => ask(path, {}, schema);
  return {
    url,
    get,
    post: (path, body, schema) =>
      ask(
        path,
        body instanceof FormData
          ? { method: 'POST', body }
          : { method: 'POST', body: JSON.stringify(body), headers: { 'content-type': 'application/json' } },
        schema,
      ),
    put: (path, body, schema) =>
      ask(path, { method: 'PUT', body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }, schema),
    list: async (path, item, most) => {
      const items: unknown[] = [];
      for (let number = 1, last = 1; number <= last && items.length < most; number++) {
        const separator = path.includes('?') ? '&' : '?';
        const { pageInfo, data } = await get(`${path}${separator}perPage=${perPage}&page=${number}`, page);
        items.push(...data);
        last = pageInfo.lastPage;
      }
      return z.array(item).parse(items.slice(0, most));
    },
  };
}

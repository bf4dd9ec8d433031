export interface Answer {
  readonly status: number;
  // Answers are judged by the assertions of the tests.
  readonly body: Readonly<Record<string, unknown>>;
}

/** A customer: knows the HTTP API and a token. */
export interface Client {
  request(method: string, path: string, body?: unknown): Promise<Answer>;
  /** GETs what is no JSON, from an address that an answer has named. */
  download(url: string): Promise<{ readonly status: number; readonly type: string | null; readonly bytes: Buffer }>;
  createBatch(
    file: { name: string; content: string | Buffer },
    fields: Readonly<Record<string, unknown>>,
  ): Promise<Answer>;
}

/** A customer of the API at this address. */
export function clientOf(apiUrl: string, token: string): Client {
  const answerOf = async (response: Response): Promise<Answer> => ({
    status: response.status,
    body: (await response.json()) as Answer['body'],
  });
  return {
    request: async (method, path, body) =>
      answerOf(
        await fetch(`${apiUrl}${path}`, {
          method,
          headers: {
            authorization: token,
            ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          },
          ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        }),
      ),
    async download(url) {
      const response = await fetch(url, { headers: { authorization: token } });
      const bytes = Buffer.from(await response.arrayBuffer());
      return { status: response.status, type: response.headers.get('content-type'), bytes };
    },
    createBatch: async (file, fields) => {
      const form = new FormData();
      for (const [name, value] of Object.entries(fields)) {
        form.append(name, typeof value === 'string' ? value : JSON.stringify(value));
      }
      form.append(
        'file',
        new Blob([typeof file.content === 'string' ? file.content : new Uint8Array(file.content)]),
        file.name,
      );
      return answerOf(
        await fetch(`${apiUrl}/v1/batch-calls`, {
          method: 'POST',
          headers: { authorization: token },
          body: form,
        }),
      );
    },
  };
}

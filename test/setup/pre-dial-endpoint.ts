import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { z } from 'zod';

const Question = z.object({
  type: z.literal('pre-dial'),
  batchId: z.string(),
  records: z.array(
    z.object({
      recordId: z.string(),
      id: z.string().optional(),
      phoneNumber: z.string(),
      attempt: z.number(),
      metadata: z.record(z.string(), z.unknown()),
    }),
  ),
});
type Question = z.output<typeof Question>;
export type AskedRecord = Question['records'][number];

export interface PreDialEndpoint {
  readonly url: string;
  /** In the order in which they came. */
  readonly questions: readonly (Question & { readonly body: string; readonly headers: IncomingMessage['headers'] })[];
  /** What it says of each from now on; undefined leaves one out. */
  verdict: (asked: AskedRecord) => object | undefined;
  /** In place of verdicts, if it is set: answers as it likes, or never. */
  misbehave: ((response: ServerResponse) => void) | null;
  /** Numbers that it was asked about, each as often as it was. */
  numbers(): string[];
  close(): Promise<void>;
}

/** An endpoint of a client that is asked about recipients before they are dialed. It clears everybody until it is told otherwise. */
export async function preDialEndpoint(): Promise<PreDialEndpoint> {
  const questions: (Question & { body: string; headers: IncomingMessage['headers'] })[] = [];
  const endpoint = {
    verdict: (): object | undefined => ({ eligible: true }),
    misbehave: null,
  } as Pick<PreDialEndpoint, 'verdict' | 'misbehave'>;
  const server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (text: string) => (body += text));
    request.on('end', () => {
      const question = Question.parse(JSON.parse(body));
      questions.push({ ...question, body, headers: request.headers });
      if (endpoint.misbehave !== null) {
        endpoint.misbehave(response);
        return;
      }
      const records = question.records.flatMap((record) => {
        const verdict = endpoint.verdict(record);
        return verdict === undefined ? [] : [[record.recordId, verdict]];
      });
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ records: Object.fromEntries(records) as unknown }));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return Object.assign(endpoint, {
    questions,
    url: `http://127.0.0.1:${port}/pre-dial`,
    numbers: () => questions.flatMap(({ records }) => records.map(({ phoneNumber }) => phoneNumber)),
    close: () => {
      server.closeAllConnections();
      return new Promise<void>((resolve) => server.close(() => resolve()));
    },
  });
}

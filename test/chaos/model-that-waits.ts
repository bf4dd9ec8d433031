import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface ModelThatWaits {
  /** Base URL of the OpenAI protocol. */
  readonly url: string;
  /** How often it has been asked. */
  asked(): number;
  /** Answers the question that was asked last. */
  answer(object: object): void;
  /** Has every question answered so from now on. */
  answerAll(object: object): void;
  close(): Promise<void>;
}

/** A stand-in for a provider of language models that answers when the test says so. */
export async function modelThatWaits(): Promise<ModelThatWaits> {
  const questions: ServerResponse[] = [];
  let all: object | null = null;
  const server = createServer((request, response) => {
    request.resume().on('end', () => {
      questions.push(response);
      if (all !== null) answer(all);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  function answer(object: object): void {
    const choices = [
      { index: 0, message: { role: 'assistant', content: JSON.stringify(object) }, finish_reason: 'stop' },
    ];
    const body = { id: 'chatcmpl-1', object: 'chat.completion', model: 'local', choices, usage: null };
    questions.at(-1)?.setHeader('content-type', 'application/json').end(JSON.stringify(body));
  }
  return {
    url: `http://127.0.0.1:${port}/v1`,
    asked: () => questions.length,
    answer,
    answerAll(object) {
      all = object;
    },
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

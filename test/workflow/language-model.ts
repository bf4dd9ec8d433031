import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Asked {
  readonly authorization: string | undefined;
  readonly path: string;
  readonly model: string;
  readonly messages: readonly { readonly role: string; readonly content: string }[];
  readonly voice?: string;
}

type Question = Pick<Asked, 'model' | 'messages' | 'voice'> & { readonly stream?: boolean };

/** A question as JSON; of a form with a recording, only the model that is to hear it. */
function questionOf(body: string, path: string): Question {
  if (!path.endsWith('/audio/transcriptions')) return JSON.parse(body) as Question;
  return { model: /name="model"\s+(\S+)/.exec(body)?.[1] ?? '', messages: [] };
}

function streamed(response: ServerResponse, model: string, text: string): void {
  response.setHeader('content-type', 'text/event-stream');
  const facts = { id: 'chatcmpl-1', object: 'chat.completion.chunk', model };
  for (const content of text.split(/(?<= )/)) {
    const choices = [{ index: 0, delta: { content }, finish_reason: null }];
    response.write(`data: ${JSON.stringify({ ...facts, choices })}\n\n`);
  }
  response.end('data: [DONE]\n\n');
}

/** What the server does: a text is the model's answer, a number a status with an error body, null hangs up; a function says it by path. */
export type Reply = string | number | null | ((path: string) => string | number);

export interface FakeLanguageModel {
  /** Base URL of the OpenAI protocol. */
  readonly url: string;
  readonly asked: Asked[];
  /** Replies in turn; the last for ever. Asked for a stream, it says a text word by word. */
  replies: Reply[];
  /** What it says that an answer has used; null: nothing, as some servers do. */
  usage: object | null;
  close(): Promise<void>;
}

/** A stand-in for a provider of language models, and of speech, in which it says nothing: it speaks the OpenAI protocol and says what the test tells it to. */
export async function fakeLanguageModel(): Promise<FakeLanguageModel> {
  const asked: Asked[] = [];
  const model = { asked, replies: ['A fake summary.'] as Reply[], usage: null as object | null };
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const path = request.url ?? '';
      const { stream, ...body } = questionOf(Buffer.concat(chunks).toString('latin1'), path);
      asked.push({ ...body, authorization: request.headers.authorization, path });
      const next = model.replies[Math.min(asked.length, model.replies.length) - 1] ?? null;
      const reply = typeof next === 'function' ? next(path) : next;
      if (reply === null) return request.socket.destroy();
      response.setHeader('content-type', 'application/json');
      if (typeof reply === 'number') {
        response.statusCode = reply;
        // As providers do: the key that was sent is in their words.
        return response.end(JSON.stringify({ error: { message: `no: ${request.headers.authorization ?? ''}` } }));
      }
      if (stream === true) {
        streamed(response, body.model, reply);
        return response;
      }
      if (path.endsWith('/audio/speech')) return response.end(Buffer.alloc(4_800));
      if (path.endsWith('/audio/transcriptions')) return response.end(JSON.stringify({ text: reply }));
      const choices = [{ index: 0, message: { role: 'assistant', content: reply }, finish_reason: 'stop' }];
      const facts = { id: 'chatcmpl-1', object: 'chat.completion', model: body.model };
      return response.end(JSON.stringify({ ...facts, choices, usage: model.usage }));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return Object.assign(model, {
    url: `http://127.0.0.1:${port}/v1`,
    close: () =>
      new Promise<void>((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  });
}

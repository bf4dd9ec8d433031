import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { z } from 'zod';

/**
 * A stand-in for a provider of models, at the edge of the system: it speaks the OpenAI protocol and says in `owned_by` that
 * it is a fake. What it hears and answers is scripted; what it says is a tone, as long as its text.
 */
export interface SpeechServer {
  /** Base URL, with the path `/v1`. */
  readonly url: string;
  /** What the next pieces of speech are understood as, in order; then `nothing in particular`. */
  readonly hears: string[];
  /** What the model does next, in order; then it says that it has nothing to say. */
  readonly answers: Answer[];
  /** Texts that were made into speech. */
  readonly spoken: string[];
  /** What the model was asked. */
  readonly asked: { readonly messages: readonly Message[]; readonly tools: readonly string[] }[];
  close(): Promise<void>;
}

export type Answer = { readonly text: string } | { readonly tool: string; readonly args?: object };

const Message = z.looseObject({ role: z.string(), content: z.unknown().optional() });
type Message = z.infer<typeof Message>;

const Question = z.looseObject({
  messages: z.array(Message),
  tools: z.array(z.looseObject({ function: z.looseObject({ name: z.string() }) })).optional(),
  tool_choice: z.unknown().optional(),
});
const Speech = z.looseObject({ input: z.string() });

const sampleRate = 24_000;

/** A tone of 440 Hz, 50 ms for each letter. */
function tone(text: string): Buffer {
  const samples = Math.round(Math.min(4, Math.max(0.4, text.length * 0.05)) * sampleRate);
  const pcm = Buffer.alloc(samples * 2);
  for (let at = 0; at < samples; at++) {
    pcm.writeInt16LE(Math.round(9_000 * Math.sin((2 * Math.PI * 440 * at) / sampleRate)), at * 2);
  }
  return pcm;
}

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(Buffer.from(chunk as Uint8Array));
  return Buffer.concat(chunks);
}

function streamed(response: ServerResponse, answer: Answer): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  const base = { id: 'fake', object: 'chat.completion.chunk', created: 1, model: 'fake', owned_by: 'a fake' };
  const send = (delta: object, finish: string | null) =>
    response.write(`data: ${JSON.stringify({ ...base, choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`);
  if ('text' in answer) {
    send({ role: 'assistant', content: answer.text }, null);
    send({}, 'stop');
  } else {
    const call = { name: answer.tool, arguments: JSON.stringify(answer.args ?? {}) };
    const id = `call_${Math.random().toString(36).slice(2)}`;
    send({ role: 'assistant', tool_calls: [{ index: 0, id, type: 'function', function: call }] }, null);
    send({}, 'tool_calls');
  }
  response.end('data: [DONE]\n\n');
}

export async function startSpeechServer(): Promise<SpeechServer> {
  const hears: string[] = [];
  const answers: Answer[] = [];
  const spoken: string[] = [];
  const asked: SpeechServer['asked'] = [];

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await bodyOf(request);
    switch (request.url) {
      case '/v1/audio/transcriptions': {
        const text = hears.shift() ?? 'nothing in particular';
        response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ text }));
        return;
      }
      case '/v1/audio/speech': {
        const { input } = Speech.parse(JSON.parse(body.toString()));
        spoken.push(input);
        response.writeHead(200, { 'content-type': 'audio/pcm' }).end(tone(input));
        return;
      }
      case '/v1/chat/completions': {
        const { messages, tools = [], tool_choice: choice } = Question.parse(JSON.parse(body.toString()));
        asked.push({ messages, tools: tools.map((tool) => tool.function.name) });
        // Where no function may be called, words are wanted: they are not part of the script.
        const isJudge = tools.some((tool) => tool.function.name === 'save_prediction');
        if (isJudge) {
          // Whoever asks whether a machine has answered hears that one has.
          streamed(response, { tool: 'save_prediction', args: { label: 'machine-vm' } });
          return;
        }
        const next = choice === 'none' ? { text: 'Words of the model.' } : answers.shift();
        streamed(response, next ?? { text: 'I have nothing to say.' });
        return;
      }
      default:
        response.writeHead(404).end();
    }
  }

  const server: Server = createServer((request, response) => {
    answer(request, response).catch((error: unknown) => {
      response.writeHead(500).end(String(error));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/v1`,
    ...{ hears, answers, spoken, asked },
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { z } from 'zod';
import { createRealtimeServer, type RealtimeServer } from './realtime-server.js';
import {
  type Answer,
  beginsWell,
  type Fault,
  halfOf,
  nextAnswer,
  nextHeard,
  type Question,
  type Script,
  tone,
} from './speech-script.js';

/**
 * A stand-in for a provider of models, at the edge of the system: it speaks the OpenAI protocol and says in `owned_by` that
 * it is a fake. What it hears and answers is scripted; what it says is a tone, as long as its text.
 */
export interface SpeechServer {
  /** Base URL, with the path `/v1`. */
  readonly url: string;
  readonly hears: Script['hears'];
  readonly answers: Script['answers'];
  /** Texts that were made into speech. */
  readonly spoken: string[];
  /** What the model was asked. */
  readonly asked: Question[];
  /** Scripts of models that have their own, by the model's name. */
  readonly scripts: Map<string, Script>;
  /** What is wrong with a model, by its name; or with a voice that is to say something, by the text. */
  readonly faults: Map<string, Fault>;
  /** What kind of machine has answered, if a model is asked. */
  readonly machine: { kind: 'machine-vm' | 'machine-unavailable' };
  /** Names of the models that were asked for anything, in order. */
  readonly requests: string[];
  /** Ends every conversation with a realtime model. */
  readonly cut: RealtimeServer['cut'];
  close(): Promise<void>;
}

const Chat = z.looseObject({
  model: z.string(),
  messages: z.array(z.looseObject({ role: z.string() })),
  tools: z.array(z.looseObject({ function: z.looseObject({ name: z.string() }) })).optional(),
  tool_choice: z.unknown().optional(),
  stream: z.boolean().optional(),
});
const Speech = z.looseObject({ model: z.string(), input: z.string() });

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(Buffer.from(chunk as Uint8Array));
  return Buffer.concat(chunks);
}

/** As those are answered who did not ask for a stream: summaries. */
function atOnce(response: ServerResponse, answer: Answer): void {
  const content = 'text' in answer ? answer.text : '';
  const choices = [{ index: 0, message: { role: 'assistant', content }, finish_reason: 'stop' }];
  const completion = { id: 'fake', object: 'chat.completion', created: 1, model: 'fake', owned_by: 'a fake', choices };
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(completion));
}

function streamed(response: ServerResponse, answer: Answer, fault?: Fault): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  const base = { id: 'fake', object: 'chat.completion.chunk', created: 1, model: 'fake', owned_by: 'a fake' };
  const send = (delta: object, finish: string | null) =>
    response.write(`data: ${JSON.stringify({ ...base, choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`);
  if (fault === 'half' && 'text' in answer) {
    send({ role: 'assistant', content: halfOf(answer.text) }, null);
    return;
  }
  if ('text' in answer) {
    send({ role: 'assistant', content: fault === 'empty' ? '' : answer.text }, null);
    send({}, 'stop');
  } else {
    const call = { name: answer.tool, arguments: JSON.stringify(answer.args ?? {}) };
    const id = `call_${Math.random().toString(36).slice(2)}`;
    send({ role: 'assistant', tool_calls: [{ index: 0, id, type: 'function', function: call }] }, null);
    send({}, 'tool_calls');
  }
  const usage = { prompt_tokens: 12, completion_tokens: 3, total_tokens: 15 };
  response.write(`data: ${JSON.stringify({ ...base, choices: [], usage })}\n\n`);
  response.end('data: [DONE]\n\n');
}

/** Does to a request what is wrong with its model, if that keeps it from beginning an answer. */
function fail(fault: Fault, request: IncomingMessage, response: ServerResponse): void {
  if (fault === 'error') response.writeHead(500).end('{"error":{"message":"This fake is broken."}}');
  if (fault === 'drop') request.socket.destroy();
  if (fault === 'stall') response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders();
}

/** The model's name is a field of the form that carries the sound. */
const modelOfForm = (form: Buffer): string => /name="model"\r\n\r\n([^\r]+)/.exec(form.toString('latin1'))?.[1] ?? '';

export async function startSpeechServer(): Promise<SpeechServer> {
  const own: Script = { hears: [], answers: [] };
  const spoken: string[] = [];
  const asked: SpeechServer['asked'] = [];
  const scripts: SpeechServer['scripts'] = new Map();
  const machine: SpeechServer['machine'] = { kind: 'machine-vm' };
  const faults: SpeechServer['faults'] = new Map();
  const requests: string[] = [];
  const scriptOf = (model: string): Script => scripts.get(model) ?? own;

  /** @returns whether the model answers */
  function works(
    model: string,
    request: IncomingMessage,
    response: ServerResponse,
    fault = faults.get(model),
  ): boolean {
    requests.push(model);
    if (fault !== undefined) fail(fault, request, response);
    return beginsWell(fault);
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await bodyOf(request);
    switch (request.url) {
      case '/v1/audio/transcriptions': {
        const model = modelOfForm(body);
        if (!works(model, request, response)) return;
        const text = nextHeard(scriptOf(model));
        response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ text }));
        return;
      }
      case '/v1/audio/speech': {
        const { model, input } = Speech.parse(JSON.parse(body.toString()));
        if (!works(model, request, response, faults.get(input) ?? faults.get(model))) return;
        spoken.push(input);
        response.writeHead(200, { 'content-type': 'audio/pcm' }).end(tone(input));
        return;
      }
      case '/v1/chat/completions': {
        const question = Chat.parse(JSON.parse(body.toString()));
        const { model, messages, tools = [], tool_choice: choice } = question;
        if (!works(model, request, response)) return;
        asked.push({ model, messages, tools: tools.map((tool) => tool.function.name) });
        const isJudge = tools.some((tool) => tool.function.name === 'save_prediction');
        if (isJudge) {
          // The question whether a machine has answered is always answered with yes.
          streamed(response, { tool: 'save_prediction', args: { label: machine.kind } });
          return;
        }
        const next = nextAnswer(scriptOf(model), faults.get(model) === 'disobeys' ? 'auto' : choice);
        if (question.stream === true) streamed(response, next, faults.get(model));
        else atOnce(response, next);
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
  const realtime = createRealtimeServer({
    faultOf: (model) => faults.get(model),
    scriptOf,
    asked: (question) => asked.push(question),
    spoken: (text) => spoken.push(text),
    requested: (model) => requests.push(model),
  });
  server.on('upgrade', realtime.take);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/v1`,
    ...own,
    spoken,
    asked,
    scripts,
    machine,
    faults,
    requests,
    cut: realtime.cut,
    close: () =>
      new Promise((resolve) => {
        realtime.close();
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

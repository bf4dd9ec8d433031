import { createInterface } from 'node:readline';
import { z } from 'zod';
import type { ClientFlags } from '../../commands/service-options.js';
import { clientOf } from '../client.js';
import { CommandFailed, exitCodes, wrongUsage } from '../exit-codes.js';
import { coloursOn, printLines } from '../output.js';
import { printable } from '../printable.js';
import { pairOf } from '../request.js';

const Answer = z.looseObject({
  text: z.string(),
  disclosure: z.string().optional(),
  model: z.string().optional(),
  missing: z.array(z.string()),
});

interface Message {
  readonly speaker: 'agent' | 'callee';
  readonly text: string;
}

/** As the API has it: a conversation can be no longer. */
const mostMessages = 100;

/** `outdial agent try`: a written conversation. Each line is what the callee says; the end of the input ends it. */
export async function tryAgent(agentId: string, flags: ClientFlags & { field?: readonly string[] }): Promise<void> {
  if (flags.quiet === true) throw wrongUsage('A conversation has no ids: leave -q out.');
  const client = await clientOf(flags);
  const metadata = Object.fromEntries((flags.field ?? []).map(pairOf));
  const messages: Message[] = [];
  const say = async (): Promise<void> => {
    const answer = Answer.parse(
      await client.ask('playground.ask', { path: { agentId }, json: { messages, metadata } }),
    );
    if (messages.length === 0 && answer.missing.length > 0)
      console.error(`Nothing fills ${answer.missing.map(printable).join(', ')}: give it with -f name=value.`);
    if (answer.text !== '') messages.push({ speaker: 'agent', text: answer.text });
    show(answer, flags);
  };
  await say();
  const lines = createInterface({ input: process.stdin, output: process.stderr, terminal: process.stdin.isTTY });
  // Ctrl-C ends the conversation as the end of the input does: nothing of it is kept anyway.
  lines.once('SIGINT', () => lines.close());
  const prompt = (): void => {
    if (process.stdin.isTTY) lines.prompt();
  };
  lines.setPrompt('You:   ');
  prompt();
  for await (const line of lines) {
    const text = line.trim();
    if (text !== '') {
      if (messages.length >= mostMessages - 1)
        throw new CommandFailed(
          exitCodes.failed,
          `A conversation here has at most ${mostMessages} messages: begin anew.`,
        );
      messages.push({ speaker: 'callee', text });
      // What could not be answered is not part of the conversation: it can be said again.
      await say().catch((error: unknown) => {
        messages.pop();
        if (!process.stdin.isTTY || !(error instanceof CommandFailed)) throw error;
        console.error(error.message);
      });
    }
    prompt();
  }
  if (process.stdin.isTTY) process.stderr.write('\n');
}

function show({ disclosure, text, ...answer }: z.infer<typeof Answer>, { output }: ClientFlags): void {
  if (output === 'json') {
    printLines([JSON.stringify({ ...answer, disclosure, text })]);
    return;
  }
  const { bold, dim } = coloursOn(process.stdout);
  const said = [disclosure, text].filter((each) => each !== undefined && each !== '').join(' ');
  printLines([said === '' ? dim('The agent waits for you to begin.') : `${bold('Agent:')} ${printable(said)}`]);
}

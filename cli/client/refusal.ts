import { z } from 'zod';
import { CommandFailed, exitCodeOf, exitCodes } from './exit-codes.js';
import { printable } from './printable.js';

/** The bodies of refusals of all groups of operations: `error` or `message`, and the problems one by one. */
const Problem = z.union([
  z.string(),
  z
    .looseObject({ path: z.string(), message: z.string() })
    .transform(({ path, message }) => (message.startsWith(path) ? message : `${path}: ${message}`)),
]);
const Body = z.looseObject({
  error: z.string().optional(),
  message: z.string().optional(),
  errors: z.array(Problem).optional(),
});

/** 409 also says that the first request with an Idempotency-Key, whose answer was lost, is not over. */
export const stillRunning = 'Idempotency-Key is still running';

const remedies: Readonly<Record<number, string>> = {
  401: 'Sign in again with `outdial login`, or name another service with --profile or --data.',
};

/** The error for an answer that is no success: the API's sentence, each problem on a line of its own, and what to do. */
export async function refused(answer: Response, url: string): Promise<CommandFailed> {
  const { status } = answer;
  if (status >= 300 && status < 400) {
    return new CommandFailed(
      exitCodes.failed,
      `${url} answers ${status} and leads elsewhere. Name the address of the service itself: no token is sent along a redirect.`,
    );
  }
  const { words, problems } = readBody(await answer.text().catch(() => ''), status);
  const remedy = remedies[status];
  const lines = [words, ...problems.map((each) => `  ${each}`), ...(remedy === undefined ? [] : [remedy])];
  const retryAfter = Number(answer.headers.get('retry-after') ?? NaN);
  const options = {
    ...(Number.isFinite(retryAfter) ? { retryAfterMs: retryAfter * 1000 } : {}),
    mayBeDone: status >= 500 || (status === 409 && words.includes(stillRunning)),
  };
  return new CommandFailed(exitCodeOf(status), lines.map(printable).join('\n'), options);
}

function readBody(text: string, status: number): { words: string; problems: readonly string[] } {
  const parsed = Body.safeParse(jsonOf(text));
  const { error, message, errors = [] } = parsed.success ? parsed.data : {};
  const words =
    error ?? message ?? (errors.length > 0 ? 'The service refuses this:' : `The service answers ${status}.`);
  return { words, problems: errors };
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // of a proxy in front of the service, for one
  }
}

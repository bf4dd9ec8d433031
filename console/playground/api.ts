/** What the API answers a session with; the reference has the words for each field. */
export interface Session {
  readonly token: string;
  readonly expiresAt: string;
  readonly agentId: string;
  readonly name: string;
  readonly status: 'inactive' | 'active';
  readonly versionId: string;
  readonly language: string;
  readonly languages: readonly string[];
  readonly fields: readonly string[];
  readonly voice?: Voice;
  readonly textOnlyReason?: 'no_livekit' | 'simulated' | 'inactive';
  readonly text: { readonly model: string; readonly problem?: string };
}

export interface Voice {
  readonly url: string;
  readonly room: string;
  readonly token: string;
  readonly maxSeconds: number;
  readonly problem?: string;
}

export type Metadata = Readonly<Record<string, string>>;

export interface Line {
  readonly speaker: 'agent' | 'callee';
  readonly text: string;
}

interface Answer {
  readonly text: string;
  readonly disclosure?: string;
  readonly language: string;
  readonly model?: string;
  readonly missing: readonly string[];
}

/** A request that failed, with a message for the visitor of the page. */
export class Refused extends Error {
  override readonly name = 'Refused';
  constructor(
    message: string,
    /** Nothing on the page can go on: the address has to be opened again. */
    readonly isFinal: boolean,
  ) {
    super(message);
  }
}

const openAgain = 'Open the playground address again that creating the agent returned.';

function textOf(body: unknown): string {
  const error: unknown = typeof body === 'object' && body !== null && 'error' in body ? body.error : undefined;
  return typeof error === 'string' ? error : '';
}

function refusal(status: number, body: unknown, retryAfter: string | null): Refused {
  const said = textOf(body);
  switch (status) {
    case 401:
      return said.includes('expired')
        ? new Refused(`This token has expired. ${openAgain}`, true)
        : new Refused(`This token is not valid: it is incomplete, or its key was deactivated. ${openAgain}`, true);
    case 403:
      return new Refused('This token may not try this agent.', true);
    case 404:
      return new Refused('There is no such agent on the account of this token. It may have been deleted.', true);
    case 429:
      return new Refused(`Too many requests. Try again in ${retryAfter ?? 'some'} seconds.`, false);
    default:
      return new Refused(said === '' ? `The service answered with ${status}. Try again.` : said, false);
  }
}

async function post(path: string, token: string, body: object): Promise<unknown> {
  let response: Response;
  try {
    response = await fetch(path, {
      method: 'POST',
      headers: { authorization: token, 'content-type': 'application/json' },
      body: JSON.stringify(body),
      cache: 'no-store',
      credentials: 'omit',
      referrerPolicy: 'no-referrer',
    });
  } catch {
    throw new Refused(
      'The service cannot be reached. Check that it runs and that you are online, then try again.',
      false,
    );
  }
  const answer: unknown = await response.json().catch(() => null);
  if (!response.ok) throw refusal(response.status, answer, response.headers.get('retry-after'));
  return answer;
}

const path = (agentId: string, what: string): string => `/v1/agents/${encodeURIComponent(agentId)}/${what}`;

/** Exchanges a token for a session's; the page keeps that one in memory and forgets the other. */
export async function startSession(agentId: string, token: string, metadata: Metadata = {}): Promise<Session> {
  return (await post(path(agentId, 'playground-sessions'), token, { metadata })) as Session;
}

/** What the agent says next; with no messages, how it opens. */
export async function askAgent(
  { agentId, token }: Session,
  messages: readonly Line[],
  metadata: Metadata,
): Promise<Answer> {
  return (await post(path(agentId, 'playground-messages'), token, { messages, metadata })) as Answer;
}

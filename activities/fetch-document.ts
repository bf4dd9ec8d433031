import {
  type DocumentKind,
  documentExtensions,
  kindOfAnswer,
  mostDocumentBytes,
} from '../domain/knowledge/document.js';
import { decodeText } from '../knowledge/decode-text.js';
import { ForbiddenDestination, isNameFailure, outboundFailureWords } from '../platform/outbound-url.js';
import type { FetchOutside } from './deps.js';

/** A fetch that did not bring a document. The API shows its message. */
export class FetchFailed extends Error {
  override readonly name = 'FetchFailed';
  constructor(
    message: string,
    /** Another try may succeed. */
    readonly passing: boolean,
  ) {
    super(message);
  }
}

const mostRedirects = 5;
/** For all of it: redirects, headers and body. */
const withinMs = 60_000;

const redirects = new Set([301, 302, 303, 307, 308]);
const passingStatuses = new Set([408, 425, 429, 500, 502, 503, 504]);

type Answer = Awaited<ReturnType<FetchOutside>>;

/** Follows redirects by hand: each is judged like the first URL, by its text and when it is connected to. */
async function follow(
  url: string,
  fetchOutside: FetchOutside,
  signal: AbortSignal,
): Promise<{ readonly answer: Answer; readonly path: string }> {
  let at = url;
  for (let hop = 0; hop <= mostRedirects; hop += 1) {
    const answer = await fetchOutside(at, {
      headers: {
        accept: 'text/html, text/plain, text/markdown, application/pdf, */*;q=0.1',
        'user-agent': 'Outdial/1',
      },
      signal,
    });
    const location = answer.headers.get('location');
    if (!redirects.has(answer.status) || location === null) return { answer, path: new URL(at).pathname };
    await answer.body?.cancel();
    if (!URL.canParse(location, at)) throw new FetchFailed('The URL redirects to what is no URL.', false);
    at = new URL(location, at).href;
  }
  throw new FetchFailed(`The URL redirects more than ${mostRedirects} times.`, false);
}

async function readLimited({ body, headers }: Answer): Promise<Buffer> {
  const tooLarge = new FetchFailed(
    `What is at the URL is larger than ${mostDocumentBytes / 1024 / 1024} MB. Split it, or name a smaller page.`,
    false,
  );
  if (Number(headers.get('content-length') ?? 0) > mostDocumentBytes) {
    await body?.cancel();
    throw tooLarge;
  }
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body ?? []) {
    const bytes = chunk as Uint8Array;
    size += bytes.length;
    if (size > mostDocumentBytes) throw tooLarge;
    chunks.push(bytes);
  }
  return Buffer.concat(chunks);
}

function failureOf(error: unknown): FetchFailed {
  if (error instanceof FetchFailed) return error;
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  if (cause instanceof ForbiddenDestination && !isNameFailure(cause))
    return new FetchFailed(`The URL may not be fetched: ${cause.message}.`, false);
  if (cause instanceof Error && /^(TimeoutError|AbortError)$/.test(cause.name)) {
    return new FetchFailed(`The server did not send it all within ${withinMs / 1000} s.`, true);
  }
  return new FetchFailed(`The server could not be reached: ${outboundFailureWords(cause).slice(0, 200)}.`, true);
}

/**
 * Fetches what is at a URL that a client chose. Texts come back as UTF-8.
 *
 * @throws FetchFailed
 */
export async function fetchDocument(
  url: string,
  fetchOutside: FetchOutside,
): Promise<{ readonly kind: DocumentKind; readonly bytes: Buffer }> {
  try {
    const { answer, path } = await follow(url, fetchOutside, AbortSignal.timeout(withinMs));
    const { status, headers } = answer;
    if (!answer.ok) {
      await answer.body?.cancel();
      const message = `The server answered ${status}. Check that the URL opens in a browser that is not logged in.`;
      throw new FetchFailed(message, passingStatuses.has(status));
    }
    const type = headers.get('content-type') ?? '';
    const kind = kindOfAnswer(type, path);
    if (kind === null) {
      await answer.body?.cancel();
      const found = type.slice(0, 100) || 'of no known type';
      const message = `What is at the URL is ${found}, which cannot be read: name a page, or a ${documentExtensions} file.`;
      throw new FetchFailed(message, false);
    }
    const bytes = await readLimited(answer);
    const charset = /;\s*charset\s*=\s*"?([\w-]{1,40})/i.exec(type)?.[1];
    const isText = kind === 'text' || kind === 'html';
    return { kind, bytes: isText && charset !== undefined ? Buffer.from(decodeText(bytes, charset)) : bytes };
  } catch (error) {
    throw failureOf(error);
  }
}

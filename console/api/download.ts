import { Refused, refusal } from './refused.js';
import { currentToken } from './token.js';

/** The name that an answer gives its file (RFC 6266: `filename*` before `filename`). */
function fileNameOf(disposition: string): string | undefined {
  const encoded = /filename\*=UTF-8''([^;]+)/i.exec(disposition)?.[1];
  return encoded === undefined ? /filename="([^"]+)"/i.exec(disposition)?.[1] : decodeURIComponent(encoded);
}

/** @throws Refused with the API's words */
async function fetched(path: string): Promise<Response> {
  const authorization = currentToken() ?? '';
  const answer = await fetch(path, { headers: { authorization } }).catch(() => {
    throw new Refused(0, 'The service does not answer. Try again.');
  });
  if (!answer.ok) throw refusal(answer.status, await answer.json().catch(() => null));
  return answer;
}

/**
 * What the API answers as a file, such as a recording. The token is sent in a header, which a plain link could not do.
 *
 * @throws Refused with the API's words
 */
export const contentOf = async (path: string): Promise<Blob> => (await fetched(path)).blob();

/**
 * Saves what the API answers as a file, under the name that the API gives it.
 *
 * @throws Refused with the API's words
 */
export async function download(path: string): Promise<void> {
  const answer = await fetched(path);
  const address = URL.createObjectURL(await answer.blob());
  const link = document.createElement('a');
  link.href = address;
  link.download = fileNameOf(answer.headers.get('content-disposition') ?? '') ?? 'download';
  link.click();
  // The browser reads it after the click; a minute is enough for it to begin.
  window.setTimeout(() => URL.revokeObjectURL(address), 60_000);
}

import { withTimeLimit } from './time-limit.js';

/** Passes on so many bytes; more are an error. */
function atMost(mostBytes: number): TransformStream<Uint8Array, Uint8Array> {
  let size = 0;
  return new TransformStream({
    transform(chunk, controller) {
      size += chunk.length;
      if (size > mostBytes) controller.error(new Error(`the answer has more than ${mostBytes} bytes`));
      else controller.enqueue(chunk);
    },
  });
}

/**
 * A `fetch` whose answers have to come whole within a time, and in so many bytes: also of a server that sends a byte now and again, or
 * goes on for ever.
 */
export function limitedFetch(withinMs: number, mostBytes: number): typeof fetch {
  return async (url, init = {}) => {
    const { signal } = init;
    const limit = withTimeLimit(signal ?? new AbortController().signal, withinMs);
    const response = await fetch(url, { ...init, signal: limit });
    const { body, status, statusText, headers } = response;
    return body === null
      ? response
      : new Response(body.pipeThrough(atMost(mostBytes)), { status, statusText, headers });
  };
}

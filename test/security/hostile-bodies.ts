import { beforeAll, describe, expect, test } from 'vitest';
import { operations } from '../../api/operations.js';
import type { Operation } from '../../api/operation.js';
import { ask, oneOfEach, pathWith, type PathValues } from '../api/one-of-each.js';
import { routesOf, served, type OpenApiDocument, type Schema } from '../api/openapi/document.js';
import { here } from '../api/support.js';
import { placesOf, shapes, texts, withAt, type Place } from './hostile-shapes.js';

/** Largest answer to a request that was refused. */
const mostAnswerBytes = 65_536;
/** How much longer than reading the body as JSON an answer may take, besides what any request takes on a busy machine. */
export const timesParsing = 10;
export const besidesMs = 250;

let mine: PathValues = {};
let document: OpenApiDocument;

const millisecondsOf = (work: () => unknown): number => {
  const begun = performance.now();
  work();
  return performance.now() - begun;
};

export const send = (operation: Operation, body: string) =>
  ask(operation, pathWith(operation.url, mine), { token: here().me.token, body });

/** What is wrong with the answer to a hostile body; a time counts only when it stays bad, since a machine may be busy. */
async function faultOf(operation: Operation, body: string, mustRefuse: boolean): Promise<string | null> {
  const parsing = millisecondsOf(() => JSON.parse(body));
  let fastest = Infinity;
  for (let tries = 0; tries < 3; tries += 1) {
    const begun = performance.now();
    const { status, text } = await send(operation, body);
    fastest = Math.min(fastest, performance.now() - begun);
    const refused = status >= 400 && status <= 499;
    if (!refused && (mustRefuse || status > 499)) return `status ${status}: ${text.slice(0, 200)}`;
    // What was taken has its own work to wait for, such as the first deploy of an agent.
    if (!refused) return null;
    if (Buffer.byteLength(text) > mostAnswerBytes) return `an answer of ${text.length} characters`;
    if (fastest <= timesParsing * parsing + besidesMs) return null;
  }
  return `${Math.round(fastest)} ms, where JSON.parse takes ${Math.round(parsing)}`;
}

interface Target {
  readonly schema: Schema;
  readonly example: unknown;
}

function targetOf({ method, url }: Operation): Target | null {
  const name = `${method} ${url.replace(/:(\w+)/g, '{$1}')}`;
  const content = routesOf(document).find((route) => route.name === name)?.requestBody?.content['application/json'];
  return content?.schema === undefined ? null : { schema: content.schema, example: content.example ?? {} };
}

const marker = '@@hostile@@';

/** The body as text: what is put there may be too deep or too large to be built as a value and written again. */
export const bodyWith = (example: unknown, place: Place, hostile: string): string =>
  JSON.stringify(withAt(example, place, marker)).replace(JSON.stringify(marker), () => hostile);

const withBody = operations.filter(({ method }) => ['POST', 'PUT', 'PATCH'].includes(method));

const all = Object.entries({ ...shapes, ...texts });

/** Every `share`th, begun at another one for each `which`: all have their turn somewhere. */
const turnOf = <T>(each: readonly T[], share: number, which: number): readonly T[] =>
  each.filter((_, index) => index % share === which % share);

/**
 * Defines the tests that send hostile bodies to every operation that takes one.
 *
 * @param share one of so many shapes is sent to an operation as a whole; each shape has its turn at others. Each field gets
 * at least one shape.
 */
export function sendHostileBodies({ share }: { readonly share: number }): void {
  beforeAll(async () => {
    mine = await oneOfEach();
    document = await served();
  });

  describe.each(
    withBody.map((operation, which) => [`${operation.method} ${operation.url}`, operation, which] as const),
  )('%s', (_name, operation, which) => {
    test('P1-1 D11: a body that is hostile as a whole is refused soon, in a short answer', async () => {
      const faults: string[] = [];
      for (const [shape, hostile] of turnOf(Object.entries(shapes), share, which)) {
        const fault = await faultOf(operation, `{"unknown_field":${hostile}}`, true);
        if (fault !== null) faults.push(`${shape}: ${fault}`);
      }
      expect(faults).toEqual([]);
    });

    test('P1-1 D11: what is hostile in any field of the body is refused soon, in a short answer', async () => {
      const target = targetOf(operation);
      if (target === null) return;
      const faults: string[] = [];
      const places = placesOf(target.schema, document);
      for (const [index, place] of places.entries()) {
        const atPlace = Math.min(all.length, share * (places.length > 40 ? 14 : 7));
        for (const [shape, hostile] of turnOf(all, atPlace, which + index)) {
          // A field may be ignored, or the caller's own data: then the body counts.
          const fault = await faultOf(operation, bodyWith(target.example, place, hostile), false);
          if (fault !== null) faults.push(`${shape} at ${place.join('.')}: ${fault}`);
        }
      }
      expect(faults).toEqual([]);
    });
  });
}

import { beforeAll, describe, expect, test } from 'vitest';
import { operations } from '../../api/operations.js';
import type { Operation } from '../../api/operation.js';
import { ask, oneOfEach, pathWith, type PathValues } from '../api/one-of-each.js';
import { routesOf, served, type OpenApiDocument, type Schema } from '../api/openapi/document.js';
import { anAccount, here, settings, useApi } from '../api/support.js';
import { placesOf, shapes, texts, withAt, type Place } from './hostile-shapes.js';

settings.OUTDIAL_PROVIDER = 'simulator';
useApi();

/** Largest answer to a request that was refused. */
const mostAnswerBytes = 65_536;
/** How much longer than reading the body as JSON an answer may take, besides what any request takes on a busy machine. */
const timesParsing = 10;
const besidesMs = 250;

let mine: PathValues = {};
let document: OpenApiDocument;
beforeAll(async () => {
  mine = await oneOfEach();
  document = await served();
});

const millisecondsOf = (work: () => unknown): number => {
  const begun = performance.now();
  work();
  return performance.now() - begun;
};

const send = (operation: Operation, body: string) =>
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
const bodyWith = (example: unknown, place: Place, hostile: string): string =>
  JSON.stringify(withAt(example, place, marker)).replace(JSON.stringify(marker), () => hostile);

const withBody = operations.filter(({ method }) => ['POST', 'PUT', 'PATCH'].includes(method));

describe.each(withBody.map((operation) => [`${operation.method} ${operation.url}`, operation] as const))(
  '%s',
  (_name, operation) => {
    test('P1-1 D11: a body that is hostile as a whole is refused soon, in a short answer', async () => {
      const faults: string[] = [];
      for (const [shape, hostile] of Object.entries(shapes)) {
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
        // All of them at every place would take minutes: each place gets its share, and each its turn at some place.
        const share = places.length > 40 ? 14 : 7;
        const chosen = Object.entries({ ...shapes, ...texts }).filter((_, which) => which % share === index % share);
        for (const [shape, hostile] of chosen) {
          // A field may be ignored, or the caller's own data: then the body counts.
          const fault = await faultOf(operation, bodyWith(target.example, place, hostile), false);
          if (fault !== null) faults.push(`${shape} at ${place.join('.')}: ${fault}`);
        }
      }
      expect(faults).toEqual([]);
    }, 300_000);
  },
);

test('P1-1: while hostile bodies of one account are read, another account’s request is answered', async () => {
  const [agents] = operations.filter(({ method, url }) => method === 'POST' && url === '/v1/agents');
  const hostile = bodyWith({ name: 'x' }, ['languages'], shapes['100,000 keys'] ?? '');
  const { token } = await anAccount();
  const running = Array.from({ length: 10 }, () => send(agents!, hostile));
  const begun = performance.now();
  const [answer] = await Promise.all([ask({ method: 'GET' }, '/v1/account', { token }), Promise.all(running)]);
  expect(answer.status).toBe(200);
  expect(performance.now() - begun).toBeLessThan(10 * (timesParsing * 20 + besidesMs));
});

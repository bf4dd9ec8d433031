import { expect, test } from 'vitest';
import { announceBatch } from '../../../db/queries/batches/events.js';
import { batchWebhookEvents } from '../../../domain/batch/webhook.js';
import { sipWebhookEvents } from '../../../domain/webhooks/sip-webhook.js';
import {
  fieldsWithoutWords,
  judgeOf,
  mountedRoutes,
  routesOf,
  served,
  type DocumentedOperation,
  type Media,
  type Route,
} from './document.js';
import { aBatch } from '../batch-calls/support.js';
import { here } from '../support.js';
import { rowsOf } from '../support-resources.js';

const isFilled = (text: string | undefined): boolean => text !== undefined && text.trim() !== '';
const isSuccess = (status: string): boolean => status.startsWith('2');

/** Every body of a route, with its place in it. */
const bodiesOf = ({ requestBody, responses }: DocumentedOperation): [place: string, media: Media][] => [
  ...Object.entries(requestBody?.content ?? {}).map(([type, media]): [string, Media] => [`request ${type}`, media]),
  ...Object.entries(responses).flatMap(([status, { content }]) =>
    Object.entries(content ?? {}).map(([type, media]): [string, Media] => [`${status} ${type}`, media]),
  ),
];

/** What each route lacks, one line each. */
async function lacking(find: (route: Route) => readonly string[]): Promise<string[]> {
  return routesOf(await served()).flatMap((route) => find(route).map((words) => `${route.name}: ${words}`));
}

// shows: openapi.served
test('every operation is in the document, and the document has no other', async () => {
  expect(
    routesOf(await served())
      .map(({ name }) => name)
      .sort(),
  ).toEqual(mountedRoutes().sort());
});

// shows: openapi.complete
test('every operation has an id of its own, a summary, a description and a tag', async () => {
  const routes = routesOf(await served());
  expect(new Set(routes.map(({ operationId }) => operationId)).size).toBe(routes.length);
  const missing = await lacking(({ operationId, summary, description, tags }) => [
    ...(isFilled(operationId) ? [] : ['no operationId']),
    ...(isFilled(summary) ? [] : ['no summary']),
    ...(isFilled(description) ? [] : ['no description']),
    ...(tags?.length === 1 ? [] : ['not exactly one tag']),
  ]);
  expect(missing).toEqual([]);
});

test('every tag says what it is about, and is used', async () => {
  const document = await served();
  const used = new Set(routesOf(document).flatMap(({ tags }) => tags ?? []));
  expect(document.tags.map(({ name }) => name).sort()).toEqual([...used].sort());
  expect(document.tags.filter(({ description }) => !isFilled(description))).toEqual([]);
});

// shows: openapi.complete
test('every parameter says what it is', async () => {
  const missing = await lacking(({ parameters = [] }) =>
    parameters.filter(({ description }) => !isFilled(description)).map(({ name }) => `parameter ${name}`),
  );
  expect(missing).toEqual([]);
});

test('every parameter in a path is described', async () => {
  const missing = await lacking(({ path, parameters = [] }) =>
    [...path.matchAll(/\{(\w+)\}/g)]
      .map(([, name]) => name)
      .filter((name) => !parameters.some((parameter) => parameter.in === 'path' && parameter.name === name))
      .map((name) => `path parameter ${name}`),
  );
  expect(missing).toEqual([]);
});

// shows: openapi.complete
test('every field of every body says what it is', async () => {
  const document = await served();
  const inRoutes = await lacking((route) =>
    bodiesOf(route).flatMap(([place, { schema }]) =>
      fieldsWithoutWords(schema ?? {}, document).map((field) => `${place}: ${field}`),
    ),
  );
  const inComponents = Object.entries(document.components.schemas).flatMap(([name, schema]) =>
    fieldsWithoutWords(schema, document).map((field) => `${name}: ${field}`),
  );
  expect([...inRoutes, ...inComponents]).toEqual([]);
});

// shows: openapi.examples
test('every request body, every answer and every error shows an example', async () => {
  const missing = await lacking((route) =>
    bodiesOf(route)
      .filter(([, media]) => !('example' in media))
      .map(([place]) => `no example: ${place}`),
  );
  expect(missing).toEqual([]);
});

// shows: everywhere.times, openapi.examples
test('every example is valid against the schema beside it', async () => {
  const document = await served();
  const judge = judgeOf(document);
  const wrong = await lacking((route) =>
    bodiesOf(route).flatMap(([place, { schema, example }]) => {
      const words = example === undefined ? '' : judge(schema ?? {}, example);
      return words === '' ? [] : [`${place}: ${words}`];
    }),
  );
  expect(wrong).toEqual([]);
});

/** No recording is kept, so this one says only where to look no further. */
const withoutSuccess = 'GET /v2/sip/call/{callId}/recording';

// shows: everywhere.statuses
test('every operation documents a success, the failures that any may have, and a body for each', async () => {
  const missing = await lacking(({ name, responses }) => [
    ...(Object.keys(responses).some(isSuccess) || name === withoutSuccess ? [] : ['no success']),
    ...['401', '403', '429', '5XX'].filter((status) => !(status in responses)).map((status) => `no ${status}`),
    ...Object.entries(responses)
      .filter(([, { description, content }]) => !isFilled(description) || content === undefined)
      .map(([status]) => `${status} without a description or a body`),
  ]);
  expect(missing).toEqual([]);
});

test('the token is asked for raw in the Authorization header', async () => {
  const { components, servers } = await served();
  expect(components.securitySchemes).toEqual({
    token: expect.objectContaining({ type: 'apiKey', in: 'header', name: 'Authorization' }) as unknown,
  });
  expect(servers).toEqual([expect.objectContaining({ url: '/' })]);
});

// shows: openapi.webhooks
test('every webhook says what it posts, with an example that its schema describes', async () => {
  const document = await served();
  const judge = judgeOf(document);
  const names = Object.keys(document.webhooks);
  expect(names.sort()).toEqual([...batchWebhookEvents, ...sipWebhookEvents, 'call-summary'].sort());
  const wrong = Object.entries(document.webhooks).flatMap(([name, { post }]) => {
    const media = post?.requestBody?.content['application/json'];
    if (post === undefined || media?.schema === undefined) return [`${name}: no body`];
    return [
      ...(isFilled(post.summary) && isFilled(post.description) ? [] : [`${name}: no words`]),
      ...fieldsWithoutWords(media.schema, document).map((field) => `${name}: ${field}`),
      ...[judge(media.schema, media.example)].filter((words) => words !== '').map((words) => `${name}: ${words}`),
    ];
  });
  expect(wrong).toEqual([]);
});

test('what a batch call posts is what the reference says', async () => {
  const document = await served();
  const { batchId } = await aBatch({ status: 'completed', name: 'Told' });
  await rowsOf(`update batches set webhook_endpoint = 'https://example.com', webhook_events = $2 where id = $1`, [
    batchId,
    [...batchWebhookEvents],
  ]);
  for (const event of batchWebhookEvents) await announceBatch(here().database.db, batchId, event);
  const told = await rowsOf<{ event: string; payload: string }>(
    'select event, payload from webhook_deliveries where batch_id = $1',
    [batchId],
  );
  expect(told.map(({ event }) => event).sort()).toEqual([...batchWebhookEvents].sort());
  for (const { event, payload } of told) {
    const schema = document.webhooks[event]?.post?.requestBody?.content['application/json']?.schema;
    expect(judgeOf(document)(schema ?? {}, JSON.parse(payload))).toBe('');
  }
});

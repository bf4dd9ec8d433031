import { readFileSync } from 'node:fs';
import { beforeAll, expect, test } from 'vitest';
import { v7 } from 'uuid';
import { operations } from '../../api/operations.js';
import { withSharedInPlace } from '../../api/plugins/openapi-shared.js';
import { formatId, type IdKind } from '../../domain/ids.js';
import { multipart } from '../api/batch-calls/support.js';
import { ask, oneOfEach, parametersOf, pathWith, unknownIds, type PathValues } from '../api/one-of-each.js';
import { routesOf, type OpenApiDocument } from '../api/openapi/document.js';
import { anAccount, api, here, useApi } from '../api/support.js';
import { rowsOf } from '../api/support-resources.js';
import { nameOf, type Place, placesIn, put } from './reference-places.js';

useApi();

const document = withSharedInPlace(JSON.parse(readFileSync('docs/openapi.json', 'utf8')) as OpenApiDocument);

/** Fields and parameters that name something of the account, wherever they are, and what an id of nothing looks like. */
const references: Readonly<Record<string, IdKind | 'e164'>> = {
  agentId: 'agent',
  versionId: 'version',
  knowledgeBaseIds: 'knowledgeBase',
  tools: 'tool',
  folderId: 'knowledgeBaseFolder',
  parentId: 'knowledgeBaseFolder',
  phoneNumber: 'e164',
  phoneNumbers: 'e164',
  numbers: 'e164',
  sipCallFrom: 'e164',
  phoneNumberId: 'number',
  routingRuleId: 'rule',
  ruleId: 'rule',
  ruleIds: 'rule',
  gatewayId: 'outboundGateway',
  batchId: 'batch',
  callId: 'call',
  apiKey: 'key',
  keyId: 'key',
  // Words that mean something else elsewhere
  'GET /v2/sip/call id': 'call',
  'GET /v2/sip/call roomId': 'call',
  'GET /v1/batch-calls search': 'batch',
  'GET /v1/account/audit-log target': 'tool',
};

/** Places that look as if they named something of the account, and do not. */
const others: readonly RegExp[] = [
  // Keys and voices of providers of models
  /(?:llm|stt|tts|realtime|model)(?:\[\])?\.(?:apiKey|voice)$/,
  // The client's own ids, and whom it calls
  /recipients\[\]\.(?:id|phoneNumber)$|^participant\.id$/,
  /^allowedNumbers$|^transferTo$|^advanced\.transfer\.to$|^hidePhoneNumber$/,
  // Addresses that the service asks, and what it sends there
  /preDial\.url$/,
  // Rooms have their account in their name at LiveKit
  /^room\.id$|^destinationRoomId$/,
  // Where to go on, which names an instant
  /^after$/,
  // Of what the path names: read-only
  /^id$/,
];

/** Numbers in these bodies are made or listed, not looked up. */
const naming = /^POST \/v2\/sip\/phone-numbers$|-gateways|\/gateways\/|do-not-call/;

/** Fields that say the same as another: of these only the one that is tried is sent. */
const sameThing: readonly (readonly string[])[] = [
  ['phoneNumber', 'phoneNumbers', 'phoneNumberId'],
  ['numbers', 'phoneNumbers'],
];

/** What is sent beside a field that is tried, where the example has nothing of the account. */
const surroundings: readonly (readonly [RegExp, (own: Values) => Record<string, unknown>])[] = [
  [/^variants\[\]/, withVariants],
  [/^calls\[\]/, () => ({ calls: [{ perMinute: 0.01 }] })],
  [/^template\.variants/, ({ phoneNumber, ...own }) => ({ template: { phoneNumber, ...withVariants(own) } })],
  [/^template\.[^.]+$/, ({ phoneNumber, routingRuleId }) => ({ template: { phoneNumber, routingRuleId } })],
];

function withVariants({ routingRuleId, agentId }: Values): Record<string, unknown> {
  return { routingRuleId, variants: [1, 1].map((weight) => ({ agentId, weight })) };
}

/** Settings of a batch call that never change: whatever is sent, the answer says so. */
const fixed = /^PATCH \/v1\/batch-calls\/\{batchId\} (?:variants|phoneNumbers)/;

type Values = Readonly<Record<string, string>>;

/** Values of references, of an account that has one of each. */
async function valuesOf(paths: PathValues): Promise<Values> {
  const at = (name: string) => paths[name] ?? '';
  const [number] = await rowsOf<{ e164: string }>('select e164 from phone_numbers where id = $1', [
    at('phoneNumberId'),
  ]);
  const e164 = number?.e164 ?? '';
  const call = await api.get(`/v2/sip/call?id=${at('callId')}`);
  const [{ roomId = '' } = {}] = (call.body as { data: { roomId?: string }[] }).data;
  return {
    ...paths,
    ...{ phoneNumber: e164, phoneNumbers: e164, numbers: e164, sipCallFrom: e164 },
    ...{ knowledgeBaseIds: at('knowledgeBaseId'), tools: at('toolId'), parentId: at('folderId') },
    ...{ routingRuleId: at('ruleId'), ruleIds: at('ruleId'), apiKey: at('keyId') },
    'GET /v2/sip/call id': at('callId'),
    'GET /v2/sip/call roomId': roomId,
    'GET /v1/batch-calls search': at('batchId'),
    'GET /v1/account/audit-log target': at('toolId'),
  };
}

async function anotherOneOfEach(): Promise<{ paths: PathValues; values: Values }> {
  const mine = here().me;
  Object.assign(here(), { me: await anAccount('Another account') });
  try {
    const paths = await oneOfEach();
    return { paths, values: await valuesOf(paths) };
  } finally {
    Object.assign(here(), { me: mine });
  }
}

let paths: PathValues = {};
let own: Values = {};
let theirs: Values = {};
let theirPaths: PathValues = {};

beforeAll(async () => {
  paths = await oneOfEach();
  own = await valuesOf(paths);
  ({ paths: theirPaths, values: theirs } = await anotherOneOfEach());
});

/** Under which name the values of a place are kept. */
const keyOf = ({ route, path }: Place): string =>
  references[`${route.name} ${path}`] === undefined ? nameOf(path) : `${route.name} ${path}`;

/** A field that repeats the path's own id is read-only. */
const isTried = (place: Place): boolean => {
  const kind = references[keyOf(place)];
  return (
    kind !== undefined &&
    !others.some((other) => place.type !== null && other.test(place.path)) &&
    !(kind === 'e164' && naming.test(place.route.name)) &&
    !(place.type !== null && place.route.path.includes(`{${place.path}}`))
  );
};

const isList = (path: string): boolean =>
  ['phoneNumbers', 'numbers', 'knowledgeBaseIds', 'tools'].includes(nameOf(path));

function bodyWith({ route, type, path }: Place, value: string): Record<string, unknown> {
  const example: object = route.requestBody?.content[type ?? '']?.example ?? {};
  // The schedule of the example is past.
  const mine = Object.entries(example)
    .filter(([name]) => name !== 'schedule')
    .map(([name, sent]): [string, unknown] => [
      name,
      own[name] === undefined ? sent : isList(name) ? [own[name]] : own[name],
    ]);
  const around = surroundings.find(([places]) => places.test(path))?.[1](own) ?? {};
  const parents = path.split('.').slice(0, -1);
  const same = sameThing.filter((names) => names.includes(nameOf(path))).flat();
  const body = same.reduce((others, name) => put(others, [...parents, name].join('.'), undefined), {
    ...Object.fromEntries(mine),
    ...around,
  });
  return put(body, path, isList(path) ? [value] : value);
}

const operationOf = ({ method, path }: Place['route']) => {
  const operation = operations.find((each) => each.method === method && each.url === path.replace(/\{(\w+)\}/g, ':$1'));
  if (operation === undefined) throw new Error(`${method} ${path} is not mounted`);
  return operation;
};

function send(place: Place, value: string) {
  const { route, type, path } = place;
  const operation = operationOf(route);
  const { token } = here().me;
  const url = pathWith(operation.url, paths);
  if (type === null) return ask(operation, `${url}?${path}=${encodeURIComponent(value)}`, { token });
  const body = bodyWith(place, value);
  if (type !== 'multipart/form-data') return ask(operation, url, { token, body });
  const form = multipart(
    Object.entries(body)
      .filter(([, sent]) => sent !== undefined)
      .map(([name, sent]) => ({
        name,
        value: typeof sent === 'string' ? sent : JSON.stringify(sent),
        ...(name === 'file' ? { filename: route.path.includes('knowledge') ? 'hours.txt' : 'people.csv' } : {}),
      })),
  );
  return ask(operation, url, { token, body: form.body, headers: { 'content-type': form.contentType } });
}

/** What a request says of a value, without the value. */
const answerTo = async (place: Place, value: string) => {
  const { status, text } = await send(place, value);
  return { status, text: text.replaceAll(value, '<it>') };
};

const nothing = (kind: IdKind | 'e164'): string => (kind === 'e164' ? '+12025550199' : formatId(kind, v7()));

const textOf = ({ route, type, path }: Place): string => [route.name, path, ...(type ? [type] : [])].join(' ');

test('of every field and parameter that names something it is known what it names', () => {
  const unknown = placesIn(document).filter(
    (place) =>
      references[keyOf(place)] === undefined &&
      !others.some((other) => other.test(place.path)) &&
      !place.route.path.includes(`{${place.path}}`),
  );
  expect(unknown.map(textOf)).toEqual([]);
});

// shows: auth.scope-body
test.each(
  placesIn(document)
    .filter(isTried)
    .map((place) => [textOf(place), place] as const),
)('%s tells nothing of what another account has', async (text, place) => {
  const key = keyOf(place);
  const ofNobody = await answerTo(place, nothing(references[key]!));
  expect(place.type === null ? [200, 400, 404] : [400, 404, 409]).toContain(ofNobody.status);
  expect(await answerTo(place, theirs[key] ?? '')).toEqual(ofNobody);
  // Else something before the field was looked at would have been refused.
  if (!fixed.test(text)) expect(await answerTo(place, own[key] ?? '')).not.toEqual(ofNobody);
});

// shows: auth.scope
test('what belongs to something of another account is not found in something of one’s own', async () => {
  const nested = operations.filter(({ url }) => parametersOf(url).length > 1);
  const examples = new Map(routesOf(document).map((route) => [operationOf(route), route.requestBody?.content]));
  for (const operation of nested) {
    const child = parametersOf(operation.url).at(-1)!.at(-1)!;
    const body = examples.get(operation)?.['application/json']?.example ?? {};
    const [ofThem, ofNobody] = await Promise.all(
      [theirPaths, unknownIds()].map((ids) =>
        ask(operation, pathWith(operation.url, { ...paths, [child]: ids[child]! }), { token: here().me.token, body }),
      ),
    );
    expect([operation.url, ofThem?.status, ofThem?.text]).toEqual([operation.url, 404, ofNobody?.text]);
  }
  expect(nested.length).toBeGreaterThan(5);
});

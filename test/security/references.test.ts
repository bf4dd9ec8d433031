import { beforeAll, expect, test } from 'vitest';
import { v7 } from 'uuid';
import { operations } from '../../api/operations.js';
import { formatId, type IdKind } from '../../domain/ids.js';
import { multipart } from '../api/batch-calls/support.js';
import { ask, oneOfEach, pathWith, type PathValues } from '../api/one-of-each.js';
import { routesOf, served, type OpenApiDocument, type Route, type Schema } from '../api/openapi/document.js';
import { anAccount, api, here, useApi } from '../api/support.js';
import { aCallingNumber, aNumber, anAgent, aRegisteredNumber, aRule } from '../api/support-resources.js';
import { aTool } from '../api/tools/support.js';

useApi();

/** Fields of bodies that name something of the account, and what an id of nothing looks like. */
const references: Readonly<Record<string, IdKind | 'e164'>> = {
  agentId: 'agent',
  versionId: 'version',
  knowledgeBaseIds: 'knowledgeBase',
  tools: 'tool',
  folderId: 'knowledgeBaseFolder',
  parentId: 'knowledgeBaseFolder',
  phoneNumber: 'e164',
  phoneNumbers: 'e164',
  sipCallFrom: 'e164',
  phoneNumberId: 'number',
  routingRuleId: 'rule',
  gatewayId: 'outboundGateway',
  callId: 'call',
  apiKey: 'key',
};

/** Numbers in these bodies are made or listed, not looked up. */
const naming = /^POST \/v2\/sip\/phone-numbers$|-gateways|\/gateways\/|do-not-call/;

type Values = Record<string, string>;
let own: Values = {};
let theirs: Values = {};
let paths: PathValues = {};
let document: OpenApiDocument;

const idOf = (body: unknown, ...names: string[]): string => {
  const found = names.map((name) => (body as Record<string, unknown>)[name]).find((value) => typeof value === 'string');
  if (typeof found !== 'string') throw new Error(`No id in ${JSON.stringify(body)}`);
  return found;
};

async function valuesOf(account: Awaited<ReturnType<typeof anAccount>>): Promise<Values> {
  const options = { token: account.token };
  const accountId = account.account.id;
  const agentId = await anAgent({ accountId });
  const number = await aRegisteredNumber({}, options);
  const routingRuleId = await aRule({ agentId, phoneNumbers: [number.e164] }, options);
  const call = await api.post('/v2/sip/call', { sipCallFrom: number.e164, sipCallTo: aNumber() }, options);
  const folder = await api.post('/v1/knowledge-base-folders', { name: 'Papers' }, options);
  const base = await api.post('/v1/knowledge-bases', { name: 'Hours', text: 'We open at nine.' }, options);
  return {
    agentId,
    routingRuleId,
    phoneNumber: number.e164,
    phoneNumbers: number.e164,
    sipCallFrom: number.e164,
    phoneNumberId: number.phoneNumberId,
    gatewayId: number.outboundGatewayId,
    callId: idOf((call.body as { data: unknown }).data, 'id'),
    tools: (await aTool({}, options)).toolId,
    folderId: idOf(folder.body, 'folderId'),
    parentId: idOf(folder.body, 'folderId'),
    knowledgeBaseIds: idOf(base.body, 'knowledgeBaseId'),
    apiKey: account.key.id,
    versionId: formatId('version', v7()),
  };
}

beforeAll(async () => {
  document = await served();
  paths = await oneOfEach();
  await aCallingNumber();
  own = await valuesOf(here().me);
  theirs = await valuesOf(await anAccount('Another account'));
});

const schemaOf = (schema: Schema): Schema =>
  typeof schema.$ref === 'string'
    ? (document.components.schemas[schema.$ref.replace('#/components/schemas/', '')] ?? {})
    : schema;

/** A field takes a list where its example or its schema does. */
const fieldsOf = (schema: Schema): Record<string, Schema> =>
  (schemaOf(schema).properties ?? {}) as Record<string, Schema>;
const isList = (field: Schema): boolean => JSON.stringify(field).includes('"array"');

function bodyWith(schema: Schema, example: object, field: string, value: string): Record<string, unknown> {
  const fields = fieldsOf(schema);
  const put = (name: string, one: string) => (isList(fields[name] ?? {}) ? [one] : one);
  const mine = Object.entries(example).map(([name, sent]): [string, unknown] => [
    name,
    own[name] === undefined || name in paths ? sent : put(name, own[name]),
  ]);
  return { ...Object.fromEntries(mine), [field]: put(field, value) };
}

const send = (route: Route, type: string, body: Record<string, unknown>) => {
  const operation = operations.find(
    ({ method, url }) => method === route.method && url === route.path.replace(/\{(\w+)\}/g, ':$1'),
  );
  if (operation === undefined) throw new Error(`${route.name} is not mounted`);
  const path = pathWith(operation.url, paths);
  if (type !== 'multipart/form-data') return ask(operation, path, { token: here().me.token, body });
  const form = multipart(
    Object.entries(body).map(([name, value]) => ({
      name,
      value: typeof value === 'string' ? value : JSON.stringify(value),
      ...(name === 'file' ? { filename: route.path.includes('knowledge') ? 'hours.txt' : 'people.csv' } : {}),
    })),
  );
  return ask(operation, path, {
    token: here().me.token,
    body: form.body,
    headers: { 'content-type': form.contentType },
  });
};

/** What a request says of a value, without the value. */
const answerTo = async (route: Route, type: string, body: Record<string, unknown>, value: string) => {
  const { status, text } = await send(route, type, body);
  return { status, text: text.replaceAll(value, '<it>') };
};

// shows: auth.scope-body
test('no field of any body tells what another account has from what does not exist', async () => {
  const told: string[] = [];
  let probes = 0;
  for (const route of routesOf(document)) {
    for (const [type, { schema, example }] of Object.entries(route.requestBody?.content ?? {})) {
      if (schema === undefined || typeof example !== 'object' || example === null) continue;
      for (const field of Object.keys(fieldsOf(schema))) {
        const kind = references[field];
        // A field that repeats the path's own id is read-only.
        if (kind === undefined || (kind === 'e164' && naming.test(route.name)) || route.path.includes(`{${field}}`))
          continue;
        const unknown = kind === 'e164' ? '+12025550199' : formatId(kind, v7());
        const [ofThem, ofNobody] = [
          await answerTo(route, type, bodyWith(schema, example, field, theirs[field] ?? ''), theirs[field] ?? ''),
          await answerTo(route, type, bodyWith(schema, example, field, unknown), unknown),
        ];
        probes += 1;
        const same = JSON.stringify(ofThem) === JSON.stringify(ofNobody) && [400, 404, 409].includes(ofThem.status);
        if (!same)
          told.push(`${route.name} ${type} ${field}: ${JSON.stringify(ofThem)} but ${JSON.stringify(ofNobody)}`);
      }
    }
  }
  expect(told).toEqual([]);
  expect(probes).toBeGreaterThan(15);
});

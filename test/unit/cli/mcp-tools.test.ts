import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { Confirmations } from '../../../cli/mcp/confirmations.js';
import { toolsOf } from '../../../cli/mcp/tools.js';

const document = JSON.parse(readFileSync(join(import.meta.dirname, '../../../docs/openapi.json'), 'utf8')) as {
  paths: Record<string, Record<string, { operationId: string }>>;
};
const tools = toolsOf(document);
const named = (name: string) => tools.find((tool) => tool.name === name)!;

test('each operation is a tool, but for those that answer with secrets or sound', () => {
  const all = Object.values(document.paths).flatMap((methods) =>
    Object.values(methods).map(({ operationId }) => operationId),
  );
  const left = all.filter((id) => !tools.some(({ operationId }) => operationId === id));
  expect(left.sort()).toEqual([
    'apiKeys.create',
    'apiKeys.delete',
    'calls.getRecording',
    'calls.listen',
    'playground.createSession',
    'tokens.revoke',
    'webhookDeliveries.follow',
    'webhookSecret.get',
    'webhookSecret.rotate',
  ]);
  expect(new Set(tools.map(({ name }) => name)).size).toBe(tools.length);
  expect(tools.filter(({ name }) => !/^[A-Za-z0-9_-]{1,64}$/.test(name))).toEqual([]);
});

/** Whoever adds an operation decides here whether a telephone can ring because of it. */
test('the tools that can make a telephone ring are these', () => {
  expect(
    tools
      .filter(({ kind }) => kind === 'dials')
      .map(({ operationId }) => operationId)
      .sort(),
  ).toEqual([
    'account.resumeDialing',
    'batchCalls.addRecipients',
    'batchCalls.callRecordAgain',
    'batchCalls.callRecordBack',
    'batchCalls.create',
    'batchCalls.resume',
    'batchCalls.retry',
    'batchCalls.update',
    'batchCalls.updateRecord',
    'calls.create',
    'calls.transfer',
    'campaigns.addRecipients',
    'campaigns.create',
    'campaigns.resume',
    'campaigns.run',
    'campaigns.update',
    'doNotCall.remove',
    'guardrails.replace',
    'outboundGateways.update',
    'phoneNumbers.update',
    'phoneNumbers.updateGateway',
  ]);
});

test('what a tool takes is described in full: nothing refers to a document that a client has not got', () => {
  expect(JSON.stringify(tools)).not.toContain('"$ref"');
  expect(named('batchCalls_create').inputSchema).toMatchObject({
    required: ['body'],
    properties: {
      body: { properties: { recipients: { items: { type: 'object' } } } },
      confirmation: { type: 'string' },
    },
  });
  expect(named('batchCalls_get').inputSchema).toMatchObject({
    required: ['batchId'],
    properties: { batchId: { type: 'string', description: expect.stringContaining('batch_') as unknown } },
  });
});

test('a confirmation holds for its tool and its very arguments, in any order of fields, and for nothing else', () => {
  const confirmations = new Confirmations();
  const tool = named('calls_create');
  const args = { body: { sipCallTo: '+14155550100', sipCallFrom: '+14155550101' } };
  const confirmation = confirmations.give(tool, args);
  const other = { body: { sipCallFrom: '+14155550101', sipCallTo: '+14155550100' } };
  expect(confirmations.problemOf(confirmation, tool, other)).toBeUndefined();
  const changed = { body: { ...args.body, sipCallTo: '+14155550102' } };
  expect(confirmations.problemOf(confirmation, tool, changed)).toContain('other arguments');
  expect(confirmations.problemOf(confirmation, named('batchCalls_create'), args)).toContain('other arguments');
  expect(confirmations.problemOf('confirm-made-up', tool, args)).toContain('unknown');
});

import { describe, expect, test } from 'vitest';
import { aCallingNumber, aRule } from '../support-resources.js';
import { api } from '../support.js';

describe('200', () => {
  /** docs/conformance.md, GET /v2/sip/routing-rule, in its order. */
  const fields = [
    ['id', 'type', 'numbers', 'phoneNumbers', 'createdAt', 'updatedAt', 'name', 'apiKey', 'agentId', 'agentMetadata'],
    ['room', 'includeHeaders', 'headers', 'headersToAttributes', 'allowedNumbers', 'allowedIpAddresses', 'tags'],
    ['recording', 'dtmf', 'noiseCancellation', 'hidePhoneNumber'],
  ].flat();

  // shows: rules.fields, rule.get-patch
  test('a rule is answered bare, with every field, as the list has it', async () => {
    const { ruleId } = await aCallingNumber();
    const response = await api.get(`/v2/sip/routing-rule/${ruleId}`);
    expect(response.status).toBe(200);
    expect(Object.keys(response.body as object)).toEqual(fields);
    const list = await api.get('/v2/sip/routing-rule');
    expect(list.body).toMatchObject({ data: expect.arrayContaining([response.body]) });
  });

  test('a rule without an agent has no agentId, and everything else', async () => {
    const ruleId = await aRule({ type: 'inbound', agentId: null });
    const response = await api.get(`/v2/sip/routing-rule/${ruleId}`);
    expect(Object.keys(response.body as object)).toEqual(fields.filter((field) => field !== 'agentId'));
  });
});

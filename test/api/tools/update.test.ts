import { describe, expect, test } from 'vitest';
import { secretPlaces } from '../../../domain/account/secret-places.js';
import { rowsOf } from '../support-resources.js';
import { api, here } from '../support.js';
import { aTool, problemsIn } from './support.js';

describe('200', () => {
  const sealedOf = async (toolId: string) => {
    const [row] = await rowsOf<{ sealed: string | null }>('select headers_sealed as sealed from tools where id = $1', [
      toolId,
    ]);
    const { me, deps } = here();
    const place = secretPlaces.toolHeaders(me.account.id, toolId);
    return row!.sealed === null ? null : (JSON.parse(deps.secretBox.open(row!.sealed, place)) as unknown);
  };

  // shows: tools.update
  test('what is sent changes, the rest stays, headers too', async () => {
    const tool = await aTool({ headers: { 'X-Key': 'something-long' }, timeoutSeconds: 20 });

    const response = await api.patch(`/v1/tools/${tool.toolId}`, { description: 'Other words.' });

    expect(response.status).toBe(200);
    expect(response.body).toEqual({ ...tool, description: 'Other words.', updatedAt: expect.any(String) });
    expect((response.body as { updatedAt: string }).updatedAt > tool.updatedAt).toBe(true);
    expect(await sealedOf(tool.toolId)).toEqual({ 'X-Key': 'something-long' });
  });

  test('headers are replaced as a whole, and null takes them away', async () => {
    const { toolId } = await aTool({ headers: { 'X-A': 'something-long', 'X-B': 'b' } });
    const change = (headers: unknown) => api.patch(`/v1/tools/${toolId}`, { headers });

    expect((await change({ 'X-C': 'other-long' })).body).toMatchObject({ headers: { 'X-C': '••••long' } });
    expect(await sealedOf(toolId)).toEqual({ 'X-C': 'other-long' });
    expect((await change(null)).body).toMatchObject({ headers: {} });
    expect(await sealedOf(toolId)).toBeNull();
  });

  test('null brings a default back', async () => {
    const parameters = { type: 'object', properties: { a: { type: 'string' } } };
    const { toolId } = await aTool({ method: 'GET', timeoutSeconds: 20, parameters });
    const response = await api.patch(`/v1/tools/${toolId}`, { method: null, timeoutSeconds: null, parameters: null });
    expect(response.body).toMatchObject({
      method: 'POST',
      timeoutSeconds: 10,
      parameters: { type: 'object', properties: {} },
    });
  });

  test('a tool without headers can be sent back as it was got', async () => {
    const { toolId } = await aTool();
    const { body } = await api.get(`/v1/tools/${toolId}`);
    const response = await api.patch(`/v1/tools/${toolId}`, { ...(body as object), name: 'renamed' });
    expect(response.status).toBe(200);
    expect(response.body).toMatchObject({ toolId, name: 'renamed' });
  });
});

describe('400', () => {
  test.each<[string, object, string]>([
    ['a masked header, as GET shows it', { headers: { 'X-Key': '••••long' } }, 'headers.X-Key MASKED_API_KEY'],
    ['another id', { toolId: 'tool_other' }, 'toolId INVALID_VALUE'],
    ['a private address', { url: 'https://192.168.0.1/' }, 'url INVALID_URL'],
    ['a placeholder without its parameter', { url: 'https://example.com/{other}' }, 'url INVALID_URL'],
    ['parameters without the placeholder of the URL', { parameters: { type: 'object' } }, 'url INVALID_URL'],
    ['a name of null', { name: null }, 'name INVALID_TYPE'],
    ['an unknown field', { colour: 'red' }, 'colour UNRECOGNIZED_KEY'],
  ])('%s is refused, and nothing changes', async (_what, change, problem) => {
    const tool = await aTool({
      headers: { 'X-Key': 'something-long' },
      url: 'https://example.com/{id}',
      parameters: { type: 'object', properties: { id: { type: 'string' } }, required: ['id'] },
    });

    const response = await api.patch(`/v1/tools/${tool.toolId}`, { description: 'New.', ...change });

    expect(response.status).toBe(400);
    expect(problemsIn(response.body)).toEqual([problem]);
    expect((await api.get(`/v1/tools/${tool.toolId}`)).body).toEqual(tool);
  });
});

describe('409', () => {
  test('a tool cannot take the name of another', async () => {
    const [one, other] = [await aTool(), await aTool()];
    const response = await api.patch(`/v1/tools/${one.toolId}`, { name: other.name });
    expect({ status: response.status, body: response.body }).toEqual({
      status: 409,
      body: { error: expect.stringContaining(other.name) },
    });
    expect((await api.patch(`/v1/tools/${one.toolId}`, { name: one.name })).status).toBe(200);
  });
});

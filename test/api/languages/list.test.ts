import { describe, expect, test } from 'vitest';
import { api } from '../support.js';

describe('200', () => {
  // shows: config.languages-by-name, validation.languages
  test('languages are listed with the names, codes and variants that a config takes', async () => {
    const { status, body } = await api.get('/v1/languages?perPage=100');

    expect(status).toBe(200);
    const { data } = body as { data: readonly { readonly name: string }[] };
    expect(data.find(({ name }) => name === 'hindi')).toEqual({
      name: 'hindi',
      code: 'hi',
      variants: ['hi-IN', 'hi-Latn'],
    });
    expect(data.map(({ name }) => name)).toEqual(expect.arrayContaining(['english', 'hindi', 'spanish', 'tamil']));
  });

  test('the list comes in pages as every list does', async () => {
    expect(await api.get('/v1/languages')).toMatchObject({
      body: { pageInfo: { currentPage: 1, perPage: 20 }, data: expect.objectContaining({ length: 20 }) },
    });
    expect(await api.get('/v1/languages?page=1000')).toMatchObject({ status: 200, body: { data: [] } });
  });
});

import { api, type RequestOptions } from '../support.js';

export interface KeyAnswer {
  readonly keyId: string;
  readonly name: string;
  readonly active: boolean;
  readonly createdAt: string;
  readonly lastUsedAt?: string;
  readonly expiresAt?: string;
  readonly permissions?: readonly string[];
  readonly secret: string;
  readonly token: string;
}

/** A key made over HTTP. */
export async function aKey(body: object = {}, options: RequestOptions = {}): Promise<KeyAnswer> {
  const response = await api.post('/v1/account/keys', body, options);
  if (response.status !== 201) throw new Error(`No key: ${response.text}`);
  return response.body as KeyAnswer;
}

/** The account's keys, newest first. */
export const keysNow = async (options: RequestOptions = {}) =>
  ((await api.get('/v1/account/keys?perPage=100', options)).body as { data: Omit<KeyAnswer, 'secret' | 'token'>[] })
    .data;

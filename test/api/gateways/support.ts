import { expect } from 'vitest';
import { anAccount, api, type RequestOptions } from '../support.js';
import { aGateway } from '../support-resources.js';

/** What both kinds of gateways do alike: cases of one table. */
export const directions = ['inbound', 'outbound'] as const;

export type Direction = (typeof directions)[number];

export const pathOf = (direction: Direction, id?: string) =>
  `/v2/sip/${direction}-gateways${id === undefined ? '' : `/${id}`}`;

/** An unknown gateway, one of another account and one of the other direction: all 404 in the same words, and they stay. */
export async function findsNoneOf(
  direction: Direction,
  ask: (path: string) => Promise<{ status: number; body: unknown }>,
): Promise<void> {
  const other: RequestOptions = { token: (await anAccount()).token };
  const otherDirection = direction === 'inbound' ? 'outbound' : 'inbound';
  const [theirs, elsewhere] = [await aGateway(direction, {}, other), await aGateway(otherDirection)];
  const message = `${direction === 'inbound' ? 'Inbound' : 'Outbound'} gateway not found`;
  for (const id of [theirs.id, elsewhere.id, 'none']) {
    expect(await ask(pathOf(direction, id))).toMatchObject({ status: 404, body: { message } });
  }
  expect((await api.get(pathOf(direction, theirs.id), other)).body).toEqual(theirs);
  expect((await api.get(pathOf(otherDirection, elsewhere.id))).body).toEqual(elsewhere);
}

/** A gateway of either direction that was made with a name alone, but for what names it. */
export const gatewayByDefault = {
  sipRegion: 'auto',
  geoRegion: 'auto',
  numbers: [] as readonly string[],
  mediaEncryption: 'disable',
  maxConcurrentCalls: 50,
  reservedCalls: 0,
  callsPerSecond: 1,
  ringTimeoutSeconds: 45,
  maxCallSeconds: 3600,
  headers: {},
  numberFormat: 'e164',
  allowedAddresses: [],
  allowedNumbers: [],
  record: false,
  noiseCancellation: false,
  enableDtmf: false,
  metadata: {},
  tags: [],
  createdAt: expect.stringMatching(/^\d{4}-.*\.\d{3}Z$/) as unknown,
  updatedAt: expect.stringMatching(/^\d{4}-.*\.\d{3}Z$/) as unknown,
};

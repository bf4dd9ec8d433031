import { describe, expect, test } from 'vitest';
import { readEnv } from '../../../platform/env.js';
import { liveKitSettings } from '../../../platform/livekit.js';

const one = {
  OUTDIAL_LIVEKIT_URL: 'https://livekit.example.com',
  OUTDIAL_LIVEKIT_API_KEY: 'APIone',
  OUTDIAL_LIVEKIT_API_SECRET: 'secret-of-one',
};
const us = { url: 'wss://us.example.com', apiKey: 'APIus', apiSecret: 'secret-of-us' };
const settingsFrom = (source: Record<string, string>) => liveKitSettings(readEnv(source));

const messageOf = (work: () => unknown): string => {
  try {
    work();
  } catch (error) {
    return String(error);
  }
  throw new Error('it was accepted');
};

describe('the LiveKits of the regions', () => {
  test('are none if nothing is set', () => {
    expect(settingsFrom({})).toEqual([]);
    const empty = { OUTDIAL_LIVEKIT_URL: '', OUTDIAL_LIVEKIT_API_KEY: '', OUTDIAL_LIVEKIT_API_SECRET: '' };
    expect(settingsFrom({ ...empty, OUTDIAL_LIVEKIT_REGIONS: '' })).toEqual([]);
  });

  test('are one for the one region', () => {
    expect(settingsFrom(one)).toEqual([
      { name: 'default', url: 'https://livekit.example.com', apiKey: 'APIone', apiSecret: 'secret-of-one' },
    ]);
  });

  test('stand in the order of the regions, the first by the plain settings or by its name', () => {
    const names = (source: Record<string, string>) =>
      settingsFrom({ OUTDIAL_REGIONS: 'eu,us', ...source }).map(({ name, apiKey }) => [name, apiKey]);
    expect(names({ ...one, OUTDIAL_LIVEKIT_REGIONS: JSON.stringify({ us }) })).toEqual([
      ['eu', 'APIone'],
      ['us', 'APIus'],
    ]);
    const eu = { ...us, apiKey: 'APIeu' };
    expect(names({ OUTDIAL_LIVEKIT_REGIONS: JSON.stringify({ us, eu }) })).toEqual([
      ['eu', 'APIeu'],
      ['us', 'APIus'],
    ]);
  });

  test.each([
    ['a region without one', { OUTDIAL_REGIONS: 'eu,us', ...one }, 'The region us has no LiveKit'],
    ['one without a region', { OUTDIAL_LIVEKIT_REGIONS: JSON.stringify({ us }), ...one }, 'names us, which'],
    ['an address without its key', { OUTDIAL_LIVEKIT_URL: one.OUTDIAL_LIVEKIT_URL }, 'belong together'],
    ['an address of another kind', { ...one, OUTDIAL_LIVEKIT_URL: 'ftp://x.example' }, 'OUTDIAL_LIVEKIT_URL'],
    ['no JSON', { OUTDIAL_LIVEKIT_REGIONS: '{"us": {"apiSecret": "secret-of-us"' }, 'is not valid JSON'],
    ['a wrong field', { OUTDIAL_LIVEKIT_REGIONS: JSON.stringify({ us: { ...us, url: 'us', key: 'k' } }) }, 'us.url'],
  ])('are refused with %s, and no secret is repeated', (_what, source, words) => {
    const message = messageOf(() => settingsFrom(source));
    expect(message).toContain(words);
    expect(message).not.toContain('secret-of');
  });
});

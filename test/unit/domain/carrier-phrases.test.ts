import { describe, expect, test } from 'vitest';
import { carrierPhrases, meaningOf } from '../../../domain/call/carrier-phrases.js';

describe('the phrases of carriers', () => {
  test.each(
    carrierPhrases.flatMap((row) =>
      row.sipStatusCodes.map((code) => ({ ...row, code, title: `${code} ${row.example}` })),
    ),
  )('$carrier: "$title" means $meaning', ({ code, example, meaning }) => {
    expect(meaningOf(code, example)).toBe(meaning);
  });

  test.each([
    [403, 'User channel limit exceeded D1', 'channels'],
    [403, 'OB profile channel limit exceeded D2', 'channels'],
    [403, 'Connection channel limit exceeded D3', 'channels'],
    [403, 'Channel limit exceeded D22', 'channels'],
    [403, 'D24', 'rate'],
    ...['D10', 'D12', 'D13', 'D14', 'D15', 'D16', 'D17', 'D35', 'D36'].map((cause) => [403, cause, 'gateway'] as const),
    [403, 'Destination Number +15550100 is invalid D11', 'number'],
    [404, 'Not found D18', 'gateway'],
    [404, 'Not found D19', 'gateway'],
    [503, 'Trunk CPS limit exceeded', 'rate'],
    [503, 'trunk cps limit exceeded', 'rate'],
    [503, 'Calls per second exceeded', 'rate'],
    [429, 'Too Many Requests', 'rate'],
    [503, 'Trunk channel limit exceeded', 'channels'],
    [503, 'Maximum concurrent calls reached', 'channels'],
    [403, 'Simultaneous call limit reached', 'channels'],
  ] as const)('%i "%s" means %s', (code, phrase, meaning) => {
    expect(meaningOf(code, phrase)).toBe(meaning);
  });

  test.each([
    [404, 'Not Found'],
    [403, 'Forbidden'],
    [503, 'Service Unavailable'],
    [500, 'Trunk CPS limit exceeded'],
    [486, 'Channel limit exceeded D22'],
    [403, 'Cause D240'],
    [403, 'Declined by D112'],
    [404, 'Not found D40'],
  ])('%i "%s" says no more than its code', (code, phrase) => {
    expect(meaningOf(code, phrase)).toBeNull();
  });
});

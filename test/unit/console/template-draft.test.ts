import { expect, test } from 'vitest';
import { draftOfTemplate, templateOf } from '../../../console/campaign/template-draft.js';
import { emptyDraft } from '../../../console/new-batch/draft.js';

const whole = {
  name: 'Morning calls',
  description: 'Of every day',
  phoneNumbers: ['+14155550100', '+14155550101'],
  numberOnRetry: 'other',
  routingRuleId: 'rr_1',
  variants: [
    { agentId: 'agt_1', versionId: 'ver_1', weight: 50 },
    { agentId: 'agt_2', weight: 150 },
  ],
  retry: { retryOn: ['rejected', 'voicemail'], retryDelays: [90, 3_600, 172_800] },
  webhook: { endpoint: 'https://example.com/hook', events: ['batchcall-completed'] },
  callingWindow: [
    { from: '09:00', until: '12:00' },
    { from: '14:00', until: '18:00', timezone: 'Europe/Paris' },
  ],
  maxConcurrentCalls: 7,
  priority: 2,
  duplicates: 'skip',
  defaultCountry: 'US',
  open: true,
  stopAfter: { success: 5 },
  maxCost: 12.5,
  preDial: 'none',
  unfilledPlaceholders: 'reject',
};

test('a template that was not changed stays as it was, with what the page does not know', () => {
  for (const template of [whole, {}, { phoneNumberId: 'pn_1' }, { preDial: { url: 'https://example.com' } }]) {
    const draft = draftOfTemplate(template);
    expect(templateOf(template, draft, { ...draft })).toEqual(template);
  }
});

test('what is changed replaces the setting, and nothing beside it', () => {
  const draft = draftOfTemplate(whole);
  const after = { ...draft, maxCost: '', most: '9', asks: 'own', preDial: 'https://example.com/ask' } as const;
  const { maxCost, ...others } = whole;
  expect(maxCost).toBe(12.5);
  expect(templateOf(whole, draft, after)).toEqual({
    ...others,
    maxConcurrentCalls: 9,
    preDial: { url: 'https://example.com/ask', onError: 'wait', timeoutMs: 3_000 },
  });
});

test('another number replaces the one that was said by its id, and several numbers the single one', () => {
  const byId = { phoneNumberId: 'pn_1', open: true };
  const before = draftOfTemplate(byId);
  const after = { ...before, phoneNumber: '+14155550100', routingRuleId: 'rr_1' };
  expect(templateOf(byId, before, after)).toEqual({ open: true, phoneNumber: '+14155550100', routingRuleId: 'rr_1' });
  const single = { phoneNumber: '+14155550100' };
  const one = draftOfTemplate(single);
  expect(templateOf(single, one, { ...one, otherNumbers: ['+14155550101'] })).toEqual({
    phoneNumbers: ['+14155550100', '+14155550101'],
  });
});

test('a new template has only what was chosen', () => {
  expect(templateOf({}, emptyDraft, emptyDraft)).toEqual({});
  const after = { ...emptyDraft, phoneNumber: '+14155550100', asks: 'none', priority: '1' } as const;
  expect(templateOf({}, emptyDraft, after)).toEqual({ phoneNumber: '+14155550100', preDial: 'none', priority: 1 });
});

test('what is no number goes to the API as it was typed', () => {
  const after = { ...emptyDraft, most: 'many', maxCost: 'much', variants: [{ agentId: 'agt_1', weight: 'x' }] };
  expect(templateOf({}, emptyDraft, after)).toEqual({
    maxConcurrentCalls: 'many',
    maxCost: 'much',
    variants: [{ agentId: 'agt_1', weight: 'x' }],
  });
});

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isE164 } from '../../../domain/phone/phone-number.js';
import {
  isTransferTarget,
  isTransferTemplate,
  numbersOfTarget,
  readTransferTarget,
} from '../../../domain/call/transfer-target.js';

describe('what a call can be handed over to', () => {
  test.each([
    '+912250000009',
    'tel:+912250000009',
    'sip:desk@pbx.example.com',
    'sip:desk@pbx.example.com:5060',
    'sips:+912250000009@pbx.example.com',
    "sip:a~b!c$d&e'f*g@10.0.0.7",
  ])('%s', (target) => {
    expect(isTransferTarget(target)).toBe(true);
    expect(isTransferTemplate(target)).toBe(true);
  });

  test.each([
    '',
    '02250000009',
    '+0123',
    '+12',
    'tel:02250000009',
    'tel:+912250000009;ext=7',
    'the desk',
    'sip:desk',
    'sip:pbx.example.com',
    'SIP:desk@pbx.example.com',
    'https://example.com',
    'sip:desk@pbx.example.com;method=BYE',
    'sip:desk@pbx.example.com?Replaces=x',
    'sip:desk@pbx.example.com\r\nX-Evil: 1',
    'sip:desk:secret@pbx.example.com',
    '<sip:desk@pbx.example.com>',
  ])('never %j', (target) => {
    expect(isTransferTarget(target)).toBe(false);
    expect(isTransferTemplate(target)).toBe(false);
  });

  test('a config may leave it to the row of each call; an empty placeholder is no target', () => {
    expect(isTransferTemplate('{{desk}}')).toBe(true);
    expect(isTransferTemplate('sip:{{desk}}@pbx.example.com')).toBe(true);
    expect(isTransferTarget('{{desk}}')).toBe(false);
    expect(isTransferTemplate('{{ }}')).toBe(false);
  });

  test.each([
    ['+19002345678', '+19002345678'],
    ['tel:+19002345678', '+19002345678'],
    ['sip:+19002345678@pbx.example.com', '+19002345678'],
    ['sip:+1-900-234.5678@pbx.example.com', '+19002345678'],
    ['sip:(+1)9002345678@pbx.example.com', '+19002345678'],
    ['sip:19002345678@pbx.example.com', '+19002345678'],
    ['sip:0019002345678@pbx.example.com:5061', '+19002345678'],
    ['sip:desk@pbx.example.com', null],
    ['sip:4711@pbx.example.com', null],
  ])('%s makes the carrier call %s', (text, number) => {
    const target = readTransferTarget(text);
    expect(target).not.toBeNull();
    expect(target === null ? null : numbersOfTarget(target, '+14155550100')).toEqual(number === null ? [] : [number]);
  });

  test('P2-1: digits without a + are judged as a trunk of our own country could read them, too', () => {
    const target = readTransferTarget('sip:2025550123@pbx.example.com');
    expect(target === null ? [] : numbersOfTarget(target, '+14155550100')).toContain('+12025550123');
  });

  test.each([
    'sip:0118816345678@pbx.example.com',
    'sip:9011881634567890@pbx.example.com',
    'sip:011447700900000@pbx.example.com',
    'sip:+44~7700900000@pbx.example.com',
    'sip:9005551234@pbx.example.com',
    'sip:1*9005551234@pbx.example.com',
    "sip:1'900'555'1234@pbx.example.com",
    'sip:+1%2D9002345678@pbx.example.com',
    'sip:%2B19002345678@pbx.example.com',
    'sip:19002345678;phone-context=+1@pbx.example.com',
    'sip:x19002345678@pbx.example.com',
    'sip:1900FLOWERS@pbx.example.com',
    'sip:+desk@pbx.example.com',
    'sip:++19002345678@pbx.example.com',
    'sip:1234567@pbx.example.com',
    'sip:911@pbx.example.com',
    'sip:1-1-2@pbx.example.com',
    'sip:*67@pbx.example.com',
    'sip:desk@19002345678',
    'sip:desk@pbx.example.com:0',
    'sip:desk@pbx.example.com:70000',
    'sip:desk@-pbx.example.com',
    'sip:desk@pbx..example.com',
    'tel:+19002345678;phone-context=example.com',
    'tel:+1-900-234-5678',
    'TEL:+19002345678',
    'sip:desk@pbx.example.com;user=phone',
    'sip:\u0661\u0662\u0663@pbx.example.com',
  ])('P2-1: %s is no target, however a carrier would read it', (text) => {
    expect(isTransferTarget(text)).toBe(false);
  });

  const digits = fc
    .array(fc.constantFrom(...Array.from('0123456789')), { minLength: 7, maxLength: 18 })
    .map((all) => all.join(''));
  const spelled = fc
    .tuple(
      fc.constantFrom('', '+', '00', '011', '9011', '0', '9', '1', '+00', '+011', 'x', 'tel', '*67', '~'),
      digits,
      fc.array(fc.constantFrom('', '', '-', '.', '(', ')', '~', '!', '$', '&', "'", '*', '+', 'a'), {
        minLength: 18,
        maxLength: 18,
      }),
    )
    .map(
      ([prefix, all, between]) =>
        prefix +
        Array.from(all)
          .map((digit, index) => digit + (between[index] ?? ''))
          .join(''),
    );

  test('P2-1: seven digits or more, however they are spelled, are one E.164 number with the same digits or no target', () => {
    fc.assert(
      fc.property(spelled, fc.constantFrom('sip', 'sips'), (user, scheme) => {
        const target = readTransferTarget(`${scheme}:${user}@pbx.example.com`);
        if (target === null) return true;
        if (target.kind !== 'number') return false;
        const sent = user.replace(/\D/g, '');
        return isE164(target.number) && [target.number.slice(1), `00${target.number.slice(1)}`].includes(sent);
      }),
      { numRuns: 2_000 },
    );
  });

  test('P2-1: no target holds what would end its URI or add to it', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 40 }), fc.string({ maxLength: 40 }), (user, host) => {
        const text = `sip:${user}@${host}`;
        return !isTransferTarget(text) || /^sip:[A-Za-z0-9._~!$&'*+()-]+@[A-Za-z0-9.-]+(?::\d+)?$/.test(text);
      }),
      { numRuns: 2_000 },
    );
  });
});

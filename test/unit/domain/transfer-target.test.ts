import { describe, expect, test } from 'vitest';
import { isTransferTarget, isTransferTemplate, numberOfTarget } from '../../../domain/transfer-target.js';

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

  test('a config may leave it to the row of each call; an empty placeholder leaves it to nobody', () => {
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
    ['sip:+desk@pbx.example.com', null],
  ])('%s makes the carrier call %s', (target, number) => {
    expect(numberOfTarget(target)).toBe(number);
  });
});

import type { SIPDispatchRuleInfo, SIPInboundTrunkInfo } from '@livekit/protocol';
import { describe, expect, test } from 'vitest';
import type { InboundLine } from '../../../domain/call/inbound-line.js';
import { inboundDifferences } from '../../../telephony/livekit/inbound-differences.js';
import { dispatchRuleFor, trunkFor } from '../../../telephony/livekit/inbound-objects.js';

const line: InboundLine = {
  ...{ number: '+15550100001', region: 'auto', allowedAddresses: ['198.51.100.0/24'], allowedNumbers: [] },
  gatewayId: 'gwi_01990c5e-7d2a-7c31-9f0e-3b6a4d1c8e51',
  ruleId: 'rule_01990c5e-7d2a-7c31-9f0e-3b6a4d1c8e52',
  ...{ mediaEncryption: 'disable', maxCallSeconds: 3600, headersToAttributes: {}, includeHeaders: 'NONE' },
  ...{ room: { type: 'dynamic', prefix: 'inbound', pin: '' }, hidePhoneNumber: false, hasAgent: true },
};

function kept(of: InboundLine, id = 'ST_1', ruleId = 'SDR_1') {
  const [trunk, rule] = [trunkFor(of), dispatchRuleFor(of, id)];
  Object.assign(trunk, { sipTrunkId: id });
  Object.assign(rule, { sipDispatchRuleId: ruleId });
  return { trunk, rule };
}
const having = (...all: { trunk: SIPInboundTrunkInfo; rule: SIPDispatchRuleInfo }[]) => ({
  trunks: all.map(({ trunk }) => trunk),
  rules: all.map(({ rule }) => rule),
});
const nothing = { deleteRules: [], deleteTrunks: [], changes: [] };

describe('what LiveKit has to be told of inbound numbers', () => {
  test('is nothing if it knows them as they are', () => {
    expect(inboundDifferences([line], having(kept(line)))).toEqual(nothing);
  });

  test('is a trunk and a rule for a number that it does not know', () => {
    const { changes } = inboundDifferences([line], having());
    expect(changes).toEqual([{ line, trunkId: null, ruleId: null, trunk: true, rule: true }]);
  });

  test('is that a number is gone, of which it keeps nothing', () => {
    expect(inboundDifferences([], having(kept(line)))).toEqual({
      ...nothing,
      ...{ deleteRules: ['SDR_1'], deleteTrunks: ['ST_1'] },
    });
  });

  test.each<[string, Partial<InboundLine>, boolean, boolean]>([
    ['another gateway', { gatewayId: 'gwi_01990c5e-7d2a-7c31-9f0e-3b6a4d1c8e59' }, true, false],
    ['other addresses', { allowedAddresses: ['203.0.113.7'] }, true, false],
    ['other callers', { allowedNumbers: ['+15550109999'] }, true, false],
    ['credentials', { auth: { username: 'trunk', password: 'x' } }, true, false],
    ['encryption', { mediaEncryption: 'enable' }, true, false],
    ['a longest call', { maxCallSeconds: 60 }, true, false],
    ['headers for attributes', { headersToAttributes: { 'X-Customer': 'customer' } }, true, false],
    ['included headers', { includeHeaders: 'ALL' }, true, false],
    ['another rule', { ruleId: 'rule_01990c5e-7d2a-7c31-9f0e-3b6a4d1c8e59' }, false, true],
    ['another room', { room: { type: 'static', name: 'lobby', pin: '' } }, false, true],
    ['a pin', { room: { type: 'dynamic', prefix: 'inbound', pin: '1234' } }, false, true],
    ['a hidden caller', { hidePhoneNumber: true }, false, true],
    ['no agent', { hasAgent: false }, false, true],
  ])('is the half that says otherwise: %s', (_what, change, trunk, rule) => {
    const { changes } = inboundDifferences([{ ...line, ...change }], having(kept(line)));
    expect(changes).toMatchObject([{ trunkId: 'ST_1', ruleId: 'SDR_1', trunk, rule }]);
  });

  test('names single addresses as ranges: LiveKit compares a bare one with what the caller has written into From', () => {
    const { allowedAddresses } = trunkFor({
      ...line,
      allowedAddresses: ['203.0.113.7', '2001:db8::7', '198.51.100.0/24'],
    });
    expect(allowedAddresses).toEqual(['203.0.113.7/32', '2001:db8::7/128', '198.51.100.0/24']);
  });

  test('is corrected if it was changed by hand', () => {
    const drifted = kept(line);
    drifted.trunk.allowedAddresses = [];
    drifted.rule.trunkIds = [];
    expect(inboundDifferences([line], having(drifted)).changes).toMatchObject([{ trunk: true, rule: true }]);
  });

  test('is never about what others have made there', () => {
    const [theirs, like] = [kept(line), kept(line, 'ST_2', 'SDR_2')];
    theirs.trunk.name = 'Reception';
    theirs.rule.name = '';
    like.trunk.name = 'outdial someone +15550100001';
    like.rule.name = `outdial ${line.ruleId} +15550100001 copy`;
    expect(inboundDifferences([], having(theirs, like))).toEqual(nothing);
  });

  test('is that one of two is too much, as a round that was lost halfway leaves them', () => {
    const differences = inboundDifferences([line], having(kept(line), kept(line, 'ST_2', 'SDR_2')));
    expect(differences).toEqual({ ...nothing, deleteRules: ['SDR_2'], deleteTrunks: ['ST_2'] });
  });

  test('leaves beginnings of callers’ numbers to be looked at when the call comes in', () => {
    expect(trunkFor({ ...line, allowedNumbers: ['+44*', '+15550109999'] }).allowedNumbers).toEqual([]);
  });

  test('names the rule as the job of the agent, who is sent with the call', () => {
    expect(dispatchRuleFor(line, 'ST_1').roomConfig?.agents).toMatchObject([
      { agentName: 'outdial-agent', metadata: line.ruleId },
    ]);
  });
});

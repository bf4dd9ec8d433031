import { z } from 'zod';
import type { Problem } from '../../domain/errors.js';
import { clearable } from '../fields.js';
import { changedReadOnly, ofTwoNames } from '../patch.js';
import { CreateRoutingRule } from './create-body.js';
import { ruleFields } from './fields.js';
import { directionProblems, numbersDisagree } from './problems.js';
import type { RoutingRule } from './schema.js';

export const UpdateRoutingRule = z
  .strictObject({
    id: z.string().optional().describe('Cannot be changed'),
    type: z.string().optional().describe('Cannot be changed'),
    createdAt: z.string().optional().describe('Cannot be changed'),
    updatedAt: z.string().optional().describe('Cannot be changed'),
    name: ruleFields.name.optional(),
    phoneNumbers: clearable(ruleFields.phoneNumbers),
    numbers: clearable(ruleFields.numbers),
    agentId: clearable(ruleFields.agentId),
    agentMetadata: clearable(ruleFields.agentMetadata),
    room: clearable(ruleFields.room),
    apiKey: clearable(ruleFields.apiKey),
    includeHeaders: clearable(ruleFields.includeHeaders),
    headers: clearable(ruleFields.headers),
    headersToAttributes: clearable(ruleFields.headersToAttributes),
    allowedNumbers: clearable(ruleFields.allowedNumbers),
    allowedIpAddresses: clearable(ruleFields.allowedIpAddresses),
    matchRecent: clearable(ruleFields.matchRecent),
    tags: clearable(ruleFields.tags),
    recording: clearable(ruleFields.recording),
    dtmf: clearable(ruleFields.dtmf),
    noiseCancellation: clearable(ruleFields.noiseCancellation),
    hidePhoneNumber: clearable(ruleFields.hidePhoneNumber),
  })
  .meta({
    id: 'UpdateRoutingRule',
    examples: [{ name: 'Reminders, autumn', allowedNumbers: ['+1*'], agentMetadata: null }],
  });
export type UpdateRoutingRule = z.output<typeof UpdateRoutingRule>;

const never = ['id', 'type', 'createdAt', 'updatedAt'];

/** The rule after a change: fields that were sent, defaults of those cleared, else the stored ones. */
export function ruleAfter(
  patch: UpdateRoutingRule,
  current: RoutingRule,
): { readonly rule: CreateRoutingRule } | { readonly problems: readonly Problem[] } {
  const numbers = ofTwoNames(patch.phoneNumbers, patch.numbers, current.phoneNumbers);
  const problems = [
    ...changedReadOnly(patch, current, never),
    ...directionProblems({ ...current, ...patch }, current.type),
  ];
  if (numbers === 'disagree') problems.push(numbersDisagree);
  if (problems.length > 0 || numbers === 'disagree') return { problems };

  const sent = { ...patch, phoneNumbers: numbers.value, numbers: undefined };
  const defined = Object.entries(sent).filter(([, value]) => value !== undefined);
  const merged: Record<string, unknown> = { ...current, numbers: undefined, ...Object.fromEntries(defined) };
  const kept = Object.entries(merged).filter(([field, value]) => field in CreateRoutingRule.shape && value !== null);
  return { rule: CreateRoutingRule.parse(Object.fromEntries(kept)) };
}

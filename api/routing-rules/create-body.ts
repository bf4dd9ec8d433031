import { z } from 'zod';
import type { Problem } from '../../domain/errors.js';
import type { AppDeps } from '../operation.js';
import { valueAt } from '../validation.js';
import { ruleFields } from './fields.js';
import { directionProblems, fieldProblems, numbersDisagree } from './problems.js';

export const CreateRoutingRule = z
  .strictObject({
    name: ruleFields.name,
    type: ruleFields.type,
    phoneNumbers: ruleFields.phoneNumbers.optional(),
    numbers: ruleFields.numbers.optional(),
    agentId: ruleFields.agentId.optional(),
    agentMetadata: ruleFields.agentMetadata.default({}),
    room: ruleFields.room.prefault({}),
    apiKey: ruleFields.apiKey.optional(),
    includeHeaders: ruleFields.includeHeaders.default('NONE'),
    headers: ruleFields.headers.default({}),
    headersToAttributes: ruleFields.headersToAttributes.default({}),
    allowedNumbers: ruleFields.allowedNumbers.default([]),
    allowedIpAddresses: ruleFields.allowedIpAddresses.default([]),
    matchRecent: ruleFields.matchRecent.optional(),
    tags: ruleFields.tags.default([]),
    recording: ruleFields.recording.default(false),
    dtmf: ruleFields.dtmf.default(false),
    noiseCancellation: ruleFields.noiseCancellation.default(false),
    hidePhoneNumber: ruleFields.hidePhoneNumber.default(false),
  })
  .meta({
    id: 'CreateRoutingRule',
    examples: [
      {
        name: 'Reminders',
        type: 'outbound',
        phoneNumbers: ['+14155550100'],
        agentId: 'agt_01931f6e-7a3c-7c11-8f0e-3b1f6a2d9c11',
        agentMetadata: { team: 'north' },
        room: { type: 'dynamic', prefix: 'participantNumber' },
        headers: { 'X-Campaign': 'spring' },
      },
    ],
  });
export type CreateRoutingRule = z.output<typeof CreateRoutingRule>;

/** Rules between the fields. */
export function createBodyProblems(body: unknown, deps: AppDeps): Problem[] {
  const problems = [...fieldProblems(body, deps), ...directionProblems(body, valueAt(body, ['type']))];
  const [phoneNumbers, numbers] = [valueAt(body, ['phoneNumbers']), valueAt(body, ['numbers'])];
  if (phoneNumbers !== undefined && numbers !== undefined && JSON.stringify(phoneNumbers) !== JSON.stringify(numbers)) {
    problems.push(numbersDisagree);
  }
  return problems;
}

import { z } from 'zod';
import type { Problem } from '../../domain/errors.js';
import { isReservedRoomName, reservedRoomWords } from '../../domain/call/room.js';
import { e164, isLargerThan, ownData, lineOfText } from '../fields.js';
import { customHeaders } from '../../domain/call/sip-headers.js';
import type { AppDeps } from '../operation.js';
import { recordingProblems } from '../recordings.js';
import { valueAt } from '../validation.js';

/** Largest metadata of a call. */
const metadataBytes = 16_384;

export const CreateCall = z
  .strictObject({
    sipCallTo: e164().describe('Number to call'),
    sipCallFrom: e164().describe("The caller's own number to call from"),
    routingRuleId: z
      .string()
      .optional()
      .describe('An outbound rule on sipCallFrom; default: the first, which is the oldest'),
    participant: z
      .strictObject({
        id: lineOfText(128).optional().describe("Your own id of the callee, among the participant's attributes"),
        name: lineOfText(256).optional().describe('Name that the room shows'),
      })
      .optional()
      .describe('How the callee appears in the room'),
    metadata: ownData().default({}).describe('Stored on the call and passed to the agent; at most 16 KB'),
    gatewayId: z.string().optional().describe("The number's outbound gateway"),
    ringingTimeout: z.int().min(15).max(75).optional().describe("Seconds; default: the gateway's"),
    maxCallDuration: z.int().min(1).max(86_400).optional().describe("Seconds; default: the gateway's"),
    headers: customHeaders().optional().describe("SIP headers of the INVITE; the rule's win"),
    destinationRoomId: lineOfText(128)
      .optional()
      .describe("Room in which callee and agent meet; a rule's static room wins"),
    recordAudio: z
      .boolean()
      .optional()
      .describe('Keep a recording; kept too if rule or gateway say so. Refused with the simulator'),
    dtmf: z
      .boolean()
      .optional()
      .describe('Whether callee and agent hear each other’s keys; they do if rule or gateway say so'),
    mediaEncryption: z.enum(['enable', 'disable']).optional().describe("SRTP; default: the gateway's"),
    hidePhoneNumber: z.boolean().optional().describe('From the room; hidden if the rule says so'),
    includeHeaders: z
      .enum(['NONE', 'SIP_X_HEADERS', 'ALL'])
      .optional()
      .describe("SIP headers of the carrier's answer that the agent sees; the rule's wins unless NONE"),
    waitUntilAnswered: z.boolean().optional().describe('Accepted; the answer never waits'),
  })
  .meta({
    id: 'CreateCall',
    examples: [{ sipCallTo: '+14155550123', sipCallFrom: '+14155550100', metadata: { first_name: 'Asha' } }],
  });
export type CreateCall = z.output<typeof CreateCall>;

export function createBodyProblems(body: unknown, deps: AppDeps): Problem[] {
  const problems: Problem[] = [];
  const metadata = valueAt(body, ['metadata']);
  if (typeof metadata === 'object' && metadata !== null && isLargerThan(metadata, metadataBytes)) {
    problems.push({ path: 'metadata', code: 'TOO_LONG', message: `must be at most ${metadataBytes} bytes as JSON` });
  }
  const room = valueAt(body, ['destinationRoomId']);
  if (typeof room === 'string' && isReservedRoomName(room)) {
    problems.push({ path: 'destinationRoomId', code: 'INVALID_VALUE', message: reservedRoomWords });
  }
  return [...problems, ...recordingProblems(body, 'recordAudio', deps)];
}

const optionNames = [
  'ringingTimeout',
  'maxCallDuration',
  'headers',
  'destinationRoomId',
  'recordAudio',
  'dtmf',
  'mediaEncryption',
  'hidePhoneNumber',
  'includeHeaders',
] as const;

/** What the call itself asks for beyond its parties, as it is stored; null if that is nothing. */
export function optionsOf(body: CreateCall): object | null {
  const asked = optionNames.flatMap((name) => (body[name] === undefined ? [] : [[name, body[name]] as const]));
  return asked.length === 0 ? null : Object.fromEntries(asked);
}

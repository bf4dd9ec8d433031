import type { Problem } from '../../domain/errors.js';
import { isReservedRoomName, reservedRoomWords } from '../../domain/call/room.js';
import { isLargerThan, repeatsIn } from '../fields.js';
import type { AppDeps } from '../operation.js';
import { recordingProblems } from '../recordings.js';
import { valueAt } from '../validation.js';

/** Largest metadata of a rule, as of a call. */
const metadataBytes = 16_384;

const isMissing = (value: unknown): boolean => value === undefined || value === null;

const isFilled = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && Object.keys(value).length > 0;

/** Problems of a body alone that the schema of a field cannot see. */
export function fieldProblems(body: unknown, deps: AppDeps): Problem[] {
  const problems: Problem[] = [];
  const wrong = (path: string, message: string, code = 'INVALID_VALUE') => problems.push({ path, code, message });

  for (const field of ['phoneNumbers', 'numbers']) {
    const list = valueAt(body, [field]);
    for (const { index, first } of Array.isArray(list) ? repeatsIn(list) : []) {
      wrong(`${field}[${index}]`, `is the same as ${field}[${first}]`);
    }
  }
  const metadata = valueAt(body, ['agentMetadata']);
  if (typeof metadata === 'object' && metadata !== null && isLargerThan(metadata, metadataBytes)) {
    wrong('agentMetadata', `must be at most ${metadataBytes} bytes as JSON`, 'TOO_LONG');
  }
  const room = valueAt(body, ['room']);
  if (typeof room === 'object' && room !== null) problems.push(...roomProblems(room));
  return [...problems, ...recordingProblems(body, 'recording', deps)];
}

function roomProblems(room: object): Problem[] {
  const isStatic = valueAt(room, ['type']) === 'static';
  const id = valueAt(room, ['id']);
  const hasId = id !== undefined;
  if (typeof id === 'string' && isReservedRoomName(id)) {
    return [{ path: 'room.id', code: 'INVALID_VALUE', message: reservedRoomWords }];
  }
  if (isStatic && !hasId) return [{ path: 'room.id', code: 'REQUIRED', message: 'is required for a static room' }];
  if (!isStatic && hasId) return [{ path: 'room.id', code: 'INVALID_VALUE', message: 'is for static rooms only' }];
  return [];
}

/** What belongs to rules of the other direction, and what this one cannot be without. */
export function directionProblems(rule: unknown, type: unknown): Problem[] {
  const problems: Problem[] = [];
  const foreign = (field: string, direction: string) => {
    if (!isFilled(valueAt(rule, [field]))) return;
    problems.push({ path: field, code: 'INVALID_VALUE', message: `is for ${direction} rules only` });
  };
  if (type === 'outbound') {
    if (isMissing(valueAt(rule, ['agentId']))) {
      problems.push({ path: 'agentId', code: 'REQUIRED', message: 'is required for an outbound rule' });
    }
    foreign('headersToAttributes', 'inbound');
    foreign('allowedIpAddresses', 'inbound');
    foreign('matchRecent', 'inbound');
  }
  if (type === 'inbound') {
    foreign('headers', 'outbound');
    if (isFilled(valueAt(rule, ['matchRecent'])) && isMissing(valueAt(rule, ['agentId']))) {
      const message = 'is required with matchRecent: it takes the calls of callers who match no call';
      problems.push({ path: 'agentId', code: 'REQUIRED', message });
    }
  }
  return problems;
}

/** The two names of the list of numbers say different things. */
export const numbersDisagree: Problem = {
  path: 'numbers',
  code: 'INVALID_VALUE',
  message: 'is another name for phoneNumbers and must not differ from it',
};

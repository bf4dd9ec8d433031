import type { Schemas } from '../api/client.js';
import type { Direction } from '../api/telephony.js';
import type { Field, Option } from '../ui/form/field.js';
import type { FieldGroup } from '../ui/form/field-groups.js';
import { allowedNumbersField, tagsField } from '../ui/form/shared-fields.js';

type Own = Field<
  | keyof Schemas['CreateRoutingRule']
  | `room.${keyof Schemas['NewRoom']}`
  | `matchRecent.${keyof Schemas['MatchRecent']}`
>;

/** What there is to choose from. */
export interface Choices {
  readonly agents: readonly Option[];
  /** Undefined: too many to choose from, so they are typed. */
  readonly numbers: readonly Option[] | undefined;
}

const basics = (direction: Direction, { agents, numbers }: Choices): readonly Own[] => [
  { kind: 'text', path: 'name', label: 'Name', isRequired: true },
  {
    kind: 'choice',
    path: 'agentId',
    label: 'Agent',
    options: [{ value: '', label: direction === 'inbound' ? 'None' : 'Choose an agent' }, ...agents],
  },
  numbers === undefined
    ? { kind: 'lines', path: 'phoneNumbers', label: 'Numbers', description: 'Of the account, one per line' }
    : { kind: 'several', path: 'phoneNumbers', label: 'Numbers', options: numbers },
];

const sound: readonly Own[] = [
  { kind: 'check', path: 'recording', label: 'Record its calls' },
  { kind: 'check', path: 'dtmf', label: 'Keypad tones (DTMF)' },
  { kind: 'check', path: 'noiseCancellation', label: 'Suppress noise in what the agent hears' },
  { kind: 'check', path: 'hidePhoneNumber', label: 'Hide the other side’s number from the room' },
];

const room: readonly Own[] = [
  {
    kind: 'choice',
    path: 'room.type',
    label: 'Room',
    options: [
      { value: 'dynamic', label: 'one for each call' },
      { value: 'static', label: 'one for all calls' },
    ],
  },
  {
    kind: 'choice',
    path: 'room.prefix',
    label: 'Room names begin with',
    options: [
      { value: 'blank', label: 'nothing' },
      { value: 'participantNumber', label: 'the number of the other side' },
      { value: 'sipNumber', label: 'the number of the account' },
      { value: 'random', label: 'random characters' },
    ],
  },
  { kind: 'text', path: 'room.id', label: 'Name of the room', description: 'Only if one room is for all calls' },
  { kind: 'text', path: 'room.pin', label: 'PIN', description: 'Digits that a caller has to press. If empty, none' },
];

const rare = (direction: Direction): readonly Own[] => [
  {
    kind: 'choice',
    path: 'includeHeaders',
    label: 'SIP headers that the agent sees',
    options: [
      { value: 'NONE', label: 'none' },
      { value: 'SIP_X_HEADERS', label: 'X- headers' },
      { value: 'ALL', label: 'all' },
    ],
  },
  ...(direction === 'outbound'
    ? ([{ kind: 'pairs', path: 'headers', label: 'SIP headers of the INVITE', placeholder: 'X-Queue: sales' }] as const)
    : ([
        {
          kind: 'pairs',
          path: 'headersToAttributes',
          label: 'SIP headers that become attributes of the caller',
          placeholder: 'X-Customer: customer',
        },
        {
          kind: 'lines',
          path: 'allowedIpAddresses',
          label: 'Allowed addresses of callers',
          placeholder: '203.0.113.0/24',
          description: 'CIDR ranges, one per line. If empty, any address that the gateway allows',
        },
        {
          kind: 'number',
          path: 'matchRecent.days',
          label: 'Recognize callers by calls to them in the last, in days',
          description: 'They get the agent and the metadata of that call. 1 to 90. If empty, no caller is recognized',
        },
      ] as const)),
  allowedNumbersField(direction),
  { kind: 'json', path: 'agentMetadata', label: 'Metadata for the agent on every call', placeholder: '{}' },
  tagsField,
];

/** The fields of a rule, of those that the API has for its direction. */
export const ruleGroups = (direction: Direction, choices: Choices): readonly FieldGroup[] => [
  { legend: 'Rule', fields: basics(direction, choices) },
  { legend: 'Its calls', fields: sound },
  { legend: 'Room', fields: room, isRare: true },
  { legend: 'More settings', fields: rare(direction), isRare: true },
];

/** What a new rule holds before anything is typed: the defaults of the API. */
export const proposedRule = { room: { type: 'dynamic', prefix: 'blank' }, includeHeaders: 'NONE' };

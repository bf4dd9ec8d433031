import type { Schemas } from '../api/client.js';
import type { Direction } from '../api/telephony.js';
import type { Field } from '../ui/form/field.js';
import type { FieldGroup } from '../ui/form/field-groups.js';
import { allowedNumbersField, tagsField } from '../ui/form/shared-fields.js';

type Body = Schemas['UpdateGateway'];
type Path = keyof Body | 'auth.username' | 'auth.password';
type Own = Field<Path>;

const options = (...values: readonly string[]) => values.map((value) => ({ value, label: value }));

const basics = (direction: Direction): readonly Own[] => [
  { kind: 'text', path: 'name', label: 'Name', isRequired: true },
  {
    kind: 'text',
    path: 'address',
    label: 'Address of the trunk',
    placeholder: 'sip.example.com',
    description: 'host or host:port',
    isRequired: direction === 'outbound',
  },
  {
    kind: 'choice',
    path: 'transport',
    label: 'Transport',
    options: [...(direction === 'inbound' ? [{ value: '', label: 'any' }] : []), ...options('tls', 'tcp', 'udp')],
  },
  {
    kind: 'lines',
    path: 'numbers',
    label: 'Numbers',
    placeholder: '+14155550100',
    description: 'One per line, E.164. Numbers that the account does not have are registered.',
  },
];

const credentials = (hasPassword: boolean): readonly Own[] => [
  {
    kind: 'text',
    path: 'auth.username',
    label: 'User name',
    description: 'If empty, the trunk is known by its address',
  },
  {
    kind: 'secret',
    path: 'auth.password',
    label: hasPassword ? 'New password' : 'Password',
    description: hasPassword
      ? 'It is never shown. If empty, it stays as it is'
      : 'Stored encrypted and never shown again',
  },
];

const limits: readonly Own[] = [
  { kind: 'number', path: 'maxConcurrentCalls', label: 'Maximum concurrent calls' },
  {
    kind: 'number',
    path: 'reservedCalls',
    label: 'Of these, reserved for single and inbound calls',
    description: 'Batch calls leave this many lines free',
  },
  { kind: 'number', path: 'callsPerSecond', label: 'Maximum calls per second' },
  { kind: 'number', path: 'ringTimeoutSeconds', label: 'Ring for at most, in seconds', description: '15 to 75' },
  { kind: 'number', path: 'maxCallSeconds', label: 'Maximum length of a call, in seconds' },
];

const sound: readonly Own[] = [
  { kind: 'check', path: 'record', label: 'Record its calls' },
  { kind: 'check', path: 'noiseCancellation', label: 'Suppress noise in what the agent hears' },
  { kind: 'check', path: 'enableDtmf', label: 'Keypad tones (DTMF)' },
];

const rare = (direction: Direction): readonly Own[] => [
  { kind: 'text', path: 'sipRegion', label: 'Region of its calls', placeholder: 'auto' },
  {
    kind: 'choice',
    path: 'mediaEncryption',
    label: 'Encrypted audio (SRTP)',
    options: [
      { value: 'disable', label: 'not required' },
      { value: 'enable', label: 'required' },
    ],
  },
  ...(direction === 'outbound'
    ? ([
        { kind: 'text', path: 'fromHost', label: 'Host of the From header' },
        {
          kind: 'choice',
          path: 'numberFormat',
          label: 'Number format',
          options: [
            { value: 'e164', label: '+14155550100' },
            { value: 'e164_without_plus', label: '14155550100' },
            { value: 'national', label: '4155550100, as in their country' },
          ],
        },
        { kind: 'pairs', path: 'headers', label: 'SIP headers of every INVITE', placeholder: 'X-Account: 17' },
      ] as const)
    : ([
        {
          kind: 'lines',
          path: 'allowedAddresses',
          label: 'Allowed addresses of callers',
          placeholder: '203.0.113.0/24',
          description: 'IP addresses and CIDR ranges, one per line. If empty, any address with the credentials',
        },
      ] as const)),
  allowedNumbersField(direction),
  tagsField,
  { kind: 'json', path: 'metadata', label: 'Metadata', placeholder: '{}', description: 'Your own data, as JSON' },
];

/** The fields of a gateway, of those that the API has for its direction. */
export const gatewayGroups = (direction: Direction, hasPassword: boolean): readonly FieldGroup[] => [
  { legend: 'Trunk', fields: basics(direction) },
  { legend: 'Credentials', fields: credentials(hasPassword) },
  ...(direction === 'outbound' ? [{ legend: 'Limits', fields: limits }] : []),
  { legend: 'Its calls', fields: sound },
  { legend: 'More settings', fields: rare(direction), isRare: true },
];

/** What a new gateway holds before anything is typed: the defaults of the API. */
export const proposedGateway = (direction: Direction): Partial<Schemas['CreateOutboundGateway']> =>
  direction === 'outbound'
    ? {
        ...{ transport: 'tls', maxConcurrentCalls: 50, reservedCalls: 0, ringTimeoutSeconds: 45 },
        ...{ maxCallSeconds: 3_600, numberFormat: 'e164' },
      }
    : {};

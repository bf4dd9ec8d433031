import type { Schemas } from '../api/client.js';
import type { Field } from '../ui/form/field.js';
import type { FieldGroup } from '../ui/form/field-groups.js';

type Own = Field<keyof Schemas['CreateTool']>;

const what: readonly Own[] = [
  {
    kind: 'text',
    path: 'name',
    label: 'Name of the function',
    placeholder: 'find_appointment',
    description: 'As the model calls it',
    isRequired: true,
  },
  {
    kind: 'number',
    path: 'timeoutSeconds',
    label: 'Time limit of the server, in seconds',
    placeholder: '10',
    description: '1 to 60',
  },
  {
    kind: 'long',
    path: 'description',
    label: 'What it does, and when to use it',
    description: 'The model reads this',
    isRequired: true,
    rows: 3,
  },
  {
    kind: 'json',
    path: 'parameters',
    label: 'Arguments',
    placeholder: '{"type": "object", "properties": {"day": {"type": "string"}}, "required": ["day"]}',
    description: 'A JSON Schema of type object. If empty, there are none',
  },
];

const request = (isNew: boolean): readonly Own[] => [
  {
    kind: 'choice',
    path: 'method',
    label: 'Method',
    options: ['POST', 'GET', 'PUT', 'PATCH', 'DELETE'].map((value) => ({ value, label: value })),
  },
  {
    kind: 'text',
    path: 'url',
    label: 'Address',
    placeholder: 'https://example.com/appointments/{day}',
    description: 'https; {placeholders} take arguments',
    isRequired: true,
  },
  {
    kind: 'pairs',
    path: 'headers',
    label: 'Headers',
    placeholder: 'Authorization: Bearer …',
    description: isNew
      ? 'One per line. Their values are encrypted and never shown again'
      : 'Values are shown as bullets. To change one, type all of them again in full',
  },
];

/** The fields of a tool. */
export const toolGroups = (isNew: boolean): readonly FieldGroup[] => [
  { legend: 'Function', fields: what },
  { legend: 'Request', fields: request(isNew) },
];

import type { Schemas } from '../api/client.js';
import type { Field } from '../ui/form/field.js';
import type { FieldGroup } from '../ui/form/field-groups.js';

const events: readonly { readonly value: Schemas['SipWebhook']['events'][number]; readonly label: string }[] = [
  { value: 'call-started', label: 'dialed (call-started)' },
  { value: 'call-ringing', label: 'rings (call-ringing)' },
  { value: 'call-answered', label: 'answered (call-answered)' },
  { value: 'call-hangup', label: 'over (call-hangup)' },
  { value: 'call-missed', label: 'over and not answered (call-missed)' },
  { value: 'call-analyzed', label: 'analyzed (call-analyzed)' },
];

const fields: readonly Field<keyof Schemas['CreateSipWebhook']>[] = [
  {
    kind: 'text',
    path: 'url',
    label: 'Address',
    placeholder: 'https://example.com/calls',
    description: 'https, outside private networks',
    isRequired: true,
  },
  { kind: 'several', path: 'events', label: 'Receives an event when a call is', options: events },
];

/** The fields of a webhook. */
export const webhookGroups: readonly FieldGroup[] = [{ legend: 'Webhook', fields }];

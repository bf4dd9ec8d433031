import type { Schemas } from '../api/client.js';
import type { Field } from '../ui/form/field.js';
import type { FieldGroup } from '../ui/form/field-groups.js';

const fields: readonly Field<keyof Schemas['CreateCampaign']>[] = [
  { kind: 'text', path: 'name', label: 'Name', isRequired: true },
  {
    kind: 'text',
    path: 'cron',
    label: 'Runs at',
    placeholder: '0 9 * * 1-5',
    description: 'cron: minute, hour, day of the month, month, day of the week',
    isRequired: true,
  },
  {
    kind: 'text',
    path: 'timezone',
    label: 'Time zone',
    placeholder: 'America/New_York',
    description: 'of these times',
  },
  {
    kind: 'json',
    path: 'template',
    label: 'Settings of its batch calls',
    placeholder: '{"phoneNumber": "+14155550100"}',
    description: 'JSON as for POST /v1/batch-calls, without recipients and schedule',
  },
];

/** The fields of a campaign. */
export const campaignGroups: readonly FieldGroup[] = [{ legend: 'Campaign', fields }];

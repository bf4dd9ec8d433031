import { Paper, Text } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import { answered, client, type Schemas } from '../api/client.js';
import { useMayOperate } from '../session/session.js';
import type { FieldGroup } from '../ui/form/field-groups.js';
import type { Field } from '../ui/form/field.js';
import { ResourceForm } from '../ui/form/resource-form.js';
import { Page } from '../ui/page.js';
import { ReadOnly } from '../ui/read-only.js';

const route = getRouteApi('/numbers/new');

type Outbound = `outbound.${keyof Schemas['CreatePhoneNumbers']['outbound']}`;
type Own = Field<keyof Schemas['CreatePhoneNumbers'] | Outbound | `outbound.auth.${'username' | 'password'}`>;

const numbers: readonly Own[] = [
  { kind: 'text', path: 'name', label: 'Name', description: 'Of the numbers and their gateways', isRequired: true },
  {
    kind: 'lines',
    path: 'phoneNumbers',
    label: 'Numbers',
    placeholder: '+14155550100',
    description: 'One per line, E.164',
  },
  {
    kind: 'check',
    path: 'isShared',
    label: 'All of them share one gateway for outbound calls and one for inbound calls',
    isOnByDefault: true,
  },
];

const trunk: readonly Own[] = [
  {
    kind: 'text',
    path: 'outbound.address',
    label: 'Address of the trunk',
    placeholder: 'sip.example.com',
    description: 'host or host:port',
    isRequired: true,
  },
  {
    kind: 'choice',
    path: 'outbound.transport',
    label: 'Transport',
    options: ['tls', 'tcp', 'udp'].map((value) => ({ value, label: value })),
  },
  {
    kind: 'text',
    path: 'outbound.auth.username',
    label: 'User name of the trunk',
    description: 'If empty, the trunk knows us by our address',
  },
  { kind: 'secret', path: 'outbound.auth.password', label: 'Password of the trunk', description: 'Never shown again' },
];

const groups: readonly FieldGroup[] = [
  { legend: 'Numbers', fields: numbers },
  { legend: 'Trunk for outbound calls', fields: trunk },
];

/** Numbers of the account's own trunk, each with a gateway for both ways. */
export function NewNumbersPage() {
  const navigate = route.useNavigate();
  const mayOperate = useMayOperate();
  return (
    <Page title="Register numbers" requests={[{ method: 'POST', path: '/v2/sip/phone-numbers' }]}>
      {!mayOperate ? (
        <ReadOnly />
      ) : (
        <Paper withBorder p="md" maw={760}>
          <Text size="sm" c="dimmed" mb="md">
            All of them are registered, or none. If a gateway is there already, add the numbers to it on its page.
          </Text>
          <ResourceForm
            groups={groups}
            action="Register numbers"
            proposed={{ outbound: { transport: 'tls' } }}
            send={(body, key) =>
              answered(
                client.POST('/v2/sip/phone-numbers', {
                  body: body as Schemas['CreatePhoneNumbers'],
                  params: { header: { 'idempotency-key': key } },
                }),
              )
            }
            onDone={() => void navigate({ to: '/numbers', ignoreBlocker: true })}
          />
        </Paper>
      )}
    </Page>
  );
}

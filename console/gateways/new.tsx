import { Paper, Text } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import { answered, client, type Schemas } from '../api/client.js';
import { useMayOperate } from '../session/session.js';
import { ReadOnly } from '../ui/read-only.js';
import { ResourceForm } from '../ui/form/resource-form.js';
import { Page } from '../ui/page.js';
import { gatewayGroups, proposedGateway } from './fields.js';

const route = getRouteApi('/gateways/new');

/** A new trunk, for calls that go out or that come in. */
export function NewGatewayPage() {
  const { type } = route.useSearch();
  const navigate = route.useNavigate();
  const mayOperate = useMayOperate();
  const direction = type ?? 'outbound';
  const send = (body: unknown, key: string): Promise<Schemas['Gateway']> => {
    const params = { header: { 'idempotency-key': key } };
    // What was typed goes to the API as it is: it says what is wrong with it.
    return answered(
      direction === 'outbound'
        ? client.POST('/v2/sip/outbound-gateways', { body: body as Schemas['CreateOutboundGateway'], params })
        : client.POST('/v2/sip/inbound-gateways', { body: body as Schemas['CreateInboundGateway'], params }),
    );
  };
  return (
    <Page title={`New ${direction} gateway`} requests={[{ method: 'POST', path: `/v2/sip/${direction}-gateways` }]}>
      {!mayOperate ? (
        <ReadOnly />
      ) : (
        <Paper withBorder p="md" maw={760}>
          <Text size="sm" c="dimmed" mb="md">
            {direction === 'outbound'
              ? 'Calls from its numbers go out through it.'
              : 'Calls to its numbers come in through it, from callers with its credentials or its addresses.'}
          </Text>
          <ResourceForm
            key={direction}
            groups={gatewayGroups(direction, false)}
            action="Create gateway"
            proposed={proposedGateway(direction)}
            send={send}
            onDone={({ id }) =>
              void navigate({ to: '/gateways/$gatewayId', params: { gatewayId: id }, ignoreBlocker: true })
            }
          />
        </Paper>
      )}
    </Page>
  );
}

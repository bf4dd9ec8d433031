import { Button, Group, Paper, Stack, Table, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { webhooksQuery } from '../api/account.js';
import { answered, client, type Schemas } from '../api/client.js';
import { useAddress } from '../app/address.js';
import { listFilter } from '../app/list-search.js';
import { stringifySearch } from '../app/search.js';
import { useMayOperate } from '../session/session.js';
import { Ask } from '../ui/ask.js';
import { Dialog } from '../ui/dialog.js';
import { ResourceForm } from '../ui/form/resource-form.js';
import { TextLink } from '../ui/link.js';
import { List } from '../ui/list-page.js';
import { Page } from '../ui/page.js';
import { Time } from '../ui/time.js';
import { webhookGroups } from './fields.js';
import { Secret } from './secret.js';

const route = getRouteApi('/webhooks');

type Webhook = Schemas['SipWebhook'];

const create = (body: unknown, key: string) =>
  answered(
    client.POST('/v2/sip/webhooks', {
      body: body as Schemas['CreateSipWebhook'],
      params: { header: { 'idempotency-key': key } },
    }),
  );
const change = (webhookId: string, body: unknown) =>
  answered(
    client.PATCH('/v2/sip/webhooks/{webhookId}', {
      params: { path: { webhookId } },
      body: body as Schemas['UpdateSipWebhook'],
    }),
  );

function Steer({ webhook: { id, url }, onChange }: { readonly webhook: Webhook; readonly onChange: () => void }) {
  return (
    <Group gap="xs" wrap="nowrap">
      <Button variant="default" size="compact-xs" aria-label={`Change: ${url}`} onClick={onChange}>
        Change
      </Button>
      <Ask
        label="Delete"
        hint={url}
        size="compact-xs"
        title="Delete this webhook?"
        action="Delete this webhook"
        typed="delete"
        isDangerous
        onConfirm={() =>
          answered(client.DELETE('/v2/sip/webhooks/{webhookId}', { params: { path: { webhookId: id } } }))
        }
      >
        {`Nothing more is sent to ${url}; events waiting for another try are dropped.`}
      </Ask>
    </Group>
  );
}

/** Who is told of every call, and the secret that signs. */
export function WebhooksPage() {
  const { search, turn } = useAddress(route.useSearch(), route.useNavigate());
  const mayOperate = useMayOperate();
  const filter = listFilter({ page: search.page, perPage: search.perPage });
  const query = useQuery(webhooksQuery(filter));
  /** What the dialog changes; undefined: something new; null: it is closed. */
  const [opened, setOpened] = useState<Webhook | undefined | null>(null);
  const close = () => setOpened(null);
  return (
    <Page
      title="Webhooks"
      requests={[{ path: `/v2/sip/webhooks${stringifySearch({ ...filter })}` }]}
      actions={
        mayOperate && (
          <Button size="xs" onClick={() => setOpened(undefined)}>
            New webhook
          </Button>
        )
      }
    >
      <Stack gap="lg">
        <Paper withBorder p="md" component="section" aria-labelledby="endpoints">
          <Title order={2} size="h4" id="endpoints" mb="xs">
            Webhooks for all calls
          </Title>
          <List
            query={query}
            label="Webhooks"
            head={['Address', 'Events', 'Created', ...(mayOperate ? ['Actions'] : [])].map((words) => ({ words }))}
            empty="There are no webhooks yet. A webhook receives the events of all calls of the account, batch calls included."
            onTurn={turn}
          >
            {(webhook) => (
              <Table.Tr key={webhook.id} data-webhook={webhook.id}>
                <Table.Td style={{ overflowWrap: 'anywhere', minWidth: '12rem' }}>{webhook.url}</Table.Td>
                <Table.Td>{webhook.events.join(', ')}</Table.Td>
                <Table.Td>
                  <Time at={webhook.createdAt} />
                </Table.Td>
                {mayOperate && (
                  <Table.Td>
                    <Steer webhook={webhook} onChange={() => setOpened(webhook)} />
                  </Table.Td>
                )}
              </Table.Tr>
            )}
          </List>
          <Text size="sm" c="dimmed" mt="sm">
            To see whether each has arrived, or to send it again, open the page of a{' '}
            <TextLink to="/batches">batch call</TextLink>, under Webhooks.
          </Text>
        </Paper>
        {mayOperate && <Secret />}
      </Stack>
      <Dialog
        opened={opened !== null}
        onClose={close}
        title={opened === undefined ? 'New webhook' : 'Change this webhook'}
        size="lg"
      >
        {opened !== null && (
          <ResourceForm
            groups={webhookGroups}
            action={opened === undefined ? 'Create webhook' : 'Save'}
            {...(opened === undefined
              ? { proposed: { events: ['call-hangup', 'call-missed'] } }
              : { resource: opened })}
            send={(body, key) => (opened === undefined ? create(body, key) : change(opened.id, body))}
            onDone={close}
          />
        )}
      </Dialog>
    </Page>
  );
}

import { List, Paper, Table, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { deliveriesQuery } from '../api/batch-queries.js';
import { answered, client, type Schemas } from '../api/client.js';
import { useMayOperate } from '../session/session.js';
import { Ask } from '../ui/ask.js';
import { DataTable } from '../ui/data-table.js';
import { Fresh } from '../ui/fresh.js';
import { Paging } from '../ui/paging.js';
import { Status } from '../ui/status.js';
import { Time } from '../ui/time.js';
import { counted, figure } from '../ui/words.js';
import type { ListPart } from './part.js';

type Delivery = Schemas['WebhookDelivery'];

const Attempts = ({ delivery: { attempts }, zone }: { readonly delivery: Delivery; readonly zone: string }) =>
  attempts.length === 0 ? (
    <>Not tried yet</>
  ) : (
    <details>
      <summary>
        {counted(attempts.length, 'attempt')}, last: {attempts.at(-1)?.statusCode ?? attempts.at(-1)?.error}
      </summary>
      <List size="sm" type="ordered">
        {attempts.map(({ number, at, statusCode, milliseconds, error }) => (
          <List.Item key={number}>
            <Time at={at} zone={zone} />: {statusCode === undefined ? error : `answered ${statusCode}`} after{' '}
            {figure(milliseconds)} ms
          </List.Item>
        ))}
      </List>
    </details>
  );

/** Webhooks of a batch call and its calls: whether each has arrived, and the way to have it sent again. */
export function Deliveries({ batch, paging, onTurn }: ListPart) {
  const { batchId, timezone } = batch;
  const query = useQuery(deliveriesQuery(batchId, paging));
  const mayOperate = useMayOperate();
  return (
    <Paper withBorder p="md" component="section" aria-labelledby="webhooks">
      <Title order={2} size="h4" id="webhooks" mb="xs">
        Webhook deliveries
      </Title>
      <Fresh query={query}>
        {({ data, pageInfo }) => (
          <>
            {data.length === 0 ? (
              <Text c="dimmed">No webhook of this batch call was sent.</Text>
            ) : (
              <DataTable
                label="Deliveries and their attempts"
                head={['Event', 'Status', 'Happened', 'To', 'Attempts', 'Again'].map((words) => ({ words }))}
              >
                {data.map((delivery) => (
                  <Table.Tr key={delivery.deliveryId}>
                    <Table.Td>{delivery.event}</Table.Td>
                    <Table.Td>
                      <Status status={delivery.status} />
                    </Table.Td>
                    <Table.Td>
                      <Time at={delivery.createdAt} zone={timezone} />
                    </Table.Td>
                    <Table.Td>{delivery.endpoint}</Table.Td>
                    <Table.Td>
                      <Attempts delivery={delivery} zone={timezone} />
                    </Table.Td>
                    <Table.Td>
                      {mayOperate && delivery.status !== 'pending' && (
                        <Ask
                          label="Redeliver"
                          hint={`${delivery.event} ${delivery.deliveryId}`}
                          size="compact-xs"
                          title="Send this webhook again?"
                          action="Send it again"
                          onConfirm={() =>
                            answered(
                              client.POST('/v1/batch-calls/{batchId}/webhook-deliveries/{deliveryId}/redeliver', {
                                params: { path: { batchId, deliveryId: delivery.deliveryId } },
                                body: {},
                              }),
                            )
                          }
                        >
                          {`The same body goes to ${delivery.endpoint} under the same webhook-id, and is tried for another day if it is not accepted.`}
                        </Ask>
                      )}
                    </Table.Td>
                  </Table.Tr>
                ))}
              </DataTable>
            )}
            <Paging pageInfo={pageInfo} shown={data.length} onChange={onTurn} />
          </>
        )}
      </Fresh>
    </Paper>
  );
}

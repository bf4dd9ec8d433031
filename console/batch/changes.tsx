import { Paper, Table, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { changesQuery } from '../api/batch-queries.js';
import { DataTable } from '../ui/data-table.js';
import { detailsSaid } from '../ui/details-said.js';
import { Fresh } from '../ui/fresh.js';
import { Paging } from '../ui/paging.js';
import { Time } from '../ui/time.js';
import { spoken } from '../ui/words.js';
import type { ListPart } from './part.js';

/** `batch-call.add-recipients` → `add recipients` */
const actionSaid = (action: string): string => spoken(action.slice(action.indexOf('.') + 1));

/** Who changed what of a batch call, newest first. */
export function Changes({ batch, paging, onTurn }: ListPart) {
  const query = useQuery(changesQuery(batch.batchId, paging));
  return (
    <Paper withBorder p="md" component="section" aria-labelledby="changes">
      <Title order={2} size="h4" id="changes" mb="xs">
        Change log
      </Title>
      <Fresh query={query}>
        {({ data, pageInfo }) => (
          <>
            {data.length === 0 ? (
              <Text c="dimmed">Nothing was changed.</Text>
            ) : (
              <DataTable
                label="Entries of the change log"
                head={['When', 'What', 'Details', 'By', 'From'].map((words) => ({ words }))}
              >
                {data.map(({ id, createdAt, action, details, keyId, address }) => (
                  <Table.Tr key={id}>
                    <Table.Td>
                      <Time at={createdAt} zone={batch.timezone} />
                    </Table.Td>
                    <Table.Td>{actionSaid(action)}</Table.Td>
                    <Table.Td>{detailsSaid(details)}</Table.Td>
                    <Table.Td>{keyId ?? 'the service'}</Table.Td>
                    <Table.Td>{address ?? '–'}</Table.Td>
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

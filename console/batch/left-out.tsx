import { Paper, Table, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { leftOutQuery } from '../api/batch-queries.js';
import { DataTable } from '../ui/data-table.js';
import { Fresh } from '../ui/fresh.js';
import { Paging } from '../ui/paging.js';
import { figure, spoken } from '../ui/words.js';
import type { ListPart } from './part.js';

/** Rows of the file that are not called, and how to correct them. */
export function LeftOut({ batch, paging, onTurn }: ListPart) {
  const query = useQuery(leftOutQuery(batch.batchId, paging));
  return (
    <Paper withBorder p="md" component="section" aria-labelledby="left-out">
      <Title order={2} size="h4" id="left-out" mb="xs">
        Rows left out
      </Title>
      <Fresh query={query}>
        {({ data, pageInfo }) => (
          <>
            {data.length === 0 ? (
              <Text c="dimmed">Every row of the file is called.</Text>
            ) : (
              <DataTable
                label="Rows and what to do about them"
                head={[{ words: 'Row' }, { words: 'Number' }, { words: 'Reason' }, { words: 'What to do' }]}
              >
                {data.map(({ row, value, reason, message }) => (
                  <Table.Tr key={row}>
                    <Table.Td>{figure(row)}</Table.Td>
                    <Table.Td>{value}</Table.Td>
                    <Table.Td>{spoken(reason)}</Table.Td>
                    <Table.Td>{message}</Table.Td>
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

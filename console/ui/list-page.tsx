import { Group, Paper, Text } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { Schemas } from '../api/client.js';
import { DataTable } from './data-table.js';
import { Fresh } from './fresh.js';
import { Page } from './page.js';
import { Paging } from './paging.js';
import { SearchField } from './search-field.js';
import type { Request } from './curl.js';

interface ListProps<Item> {
  readonly query: UseQueryResult<{ readonly data: readonly Item[]; readonly pageInfo: Schemas['PageInfo'] }>;
  /** What the list holds, for people who do not see it. */
  readonly label: string;
  readonly head: readonly { readonly words: string; readonly isNumber?: boolean }[];
  /** What stands where lines would. */
  readonly empty: ReactNode;
  readonly onTurn: (page: number, perPage: number) => void;
  /** A line of the table. */
  readonly children: (item: Item) => ReactNode;
}

/** A list of the API, page by page. */
export const List = <Item,>({ query, label, head, empty, onTurn, children }: ListProps<Item>) => (
  <Fresh query={query}>
    {({ data, pageInfo }) => (
      <>
        {data.length === 0 ? (
          <Text component="div" c="dimmed">
            {pageInfo.total === 0 ? empty : 'This page is empty.'}
          </Text>
        ) : (
          <DataTable label={label} head={head}>
            {data.map(children)}
          </DataTable>
        )}
        <Paging pageInfo={pageInfo} shown={data.length} onChange={onTurn} />
      </>
    )}
  </Fresh>
);

interface Props<Item> extends ListProps<Item> {
  readonly requests: readonly Request[];
  readonly actions?: ReactNode;
  /** Omitted: this list cannot be searched. */
  readonly search?: {
    readonly label: string;
    readonly text: string | undefined;
    readonly onSearch: (text: string) => void;
  };
  /** Other things to filter by, beside the search. */
  readonly filters?: ReactNode;
}

/** A page that is one list: what it is filtered by is in the address. */
export const ListPage = <Item,>({ requests, actions, search, filters, ...list }: Props<Item>) => (
  <Page title={list.label} requests={requests} actions={actions}>
    {(search !== undefined || filters !== undefined) && (
      <Group align="end" gap="sm" component="search" aria-label="Filter">
        {search !== undefined && (
          <SearchField label={search.label} value={search.text ?? ''} onSearch={search.onSearch} />
        )}
        {filters}
      </Group>
    )}
    <Paper withBorder p="md" component="section" aria-label={`List: ${list.label}`}>
      <List {...list} />
    </Paper>
  </Page>
);

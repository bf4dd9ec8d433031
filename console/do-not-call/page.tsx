import { Group, Paper, Table, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { doNotCallQuery } from '../api/people.js';
import { useAddress } from '../app/address.js';
import { stringifySearch } from '../app/search.js';
import { useMayOperate } from '../session/session.js';
import { DataTable, PhoneCell } from '../ui/data-table.js';
import { Fresh } from '../ui/fresh.js';
import { TextLink } from '../ui/link.js';
import { Page } from '../ui/page.js';
import { Paging } from '../ui/paging.js';
import { SearchField } from '../ui/search-field.js';
import { Time } from '../ui/time.js';
import { usualPerPage } from '../ui/usual.js';
import { AddNumbers } from './add.js';
import { RemoveEntry } from './remove.js';

const route = getRouteApi('/do-not-call');

/** Numbers that are never called, newest first: what is searched for is in the address. */
export function DoNotCallPage() {
  const { search: shown, change, turn } = useAddress(route.useSearch(), route.useNavigate());
  const { search, page = 1, perPage = usualPerPage } = shown;
  const mayOperate = useMayOperate();
  const filter = { page, perPage: Math.min(perPage, 100), ...(search === undefined ? {} : { search }) };
  const entries = useQuery(doNotCallQuery(filter));
  return (
    <Page
      title="Do-not-call list"
      requests={[{ path: `/v1/do-not-call${stringifySearch({ ...filter })}` }]}
      actions={mayOperate && <AddNumbers />}
    >
      <Group component="search" aria-label="Filter">
        <SearchField
          label="Part of the number or the reason"
          value={search ?? ''}
          onSearch={(next) => change({ search: next })}
        />
      </Group>
      <Paper withBorder p="md" component="section" aria-label="List">
        <Fresh query={entries}>
          {({ data, pageInfo }) => (
            <>
              {data.length === 0 ? (
                <Text c="dimmed">
                  {search === undefined ? 'No number is on the list.' : 'No entry matches the filter.'}
                </Text>
              ) : (
                <DataTable
                  label="Numbers"
                  head={['Number', 'Reason', 'Since', ...(mayOperate ? ['Change'] : [])].map((words) => ({ words }))}
                >
                  {data.map(({ phoneNumber, reason, createdAt }) => (
                    <Table.Tr key={phoneNumber} data-number={phoneNumber}>
                      <PhoneCell>
                        <TextLink to="/people" search={{ number: phoneNumber }}>
                          {phoneNumber}
                        </TextLink>
                      </PhoneCell>
                      <Table.Td miw="10rem">{reason ?? '–'}</Table.Td>
                      <Table.Td>
                        <Time at={createdAt} />
                      </Table.Td>
                      {mayOperate && (
                        <Table.Td>
                          <RemoveEntry phoneNumber={phoneNumber} />
                        </Table.Td>
                      )}
                    </Table.Tr>
                  ))}
                </DataTable>
              )}
              <Paging pageInfo={pageInfo} shown={data.length} onChange={turn} />
            </>
          )}
        </Fresh>
      </Paper>
    </Page>
  );
}

import { Table } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { toolsQuery } from '../api/knowledge.js';
import { useAddress } from '../app/address.js';
import { listFilter } from '../app/list-search.js';
import { stringifySearch } from '../app/search.js';
import { useMayOperate } from '../session/session.js';
import { LinkButton } from '../ui/link-button.js';
import { TextLink } from '../ui/link.js';
import { ListPage } from '../ui/list-page.js';

const route = getRouteApi('/tools');

/** The HTTP requests that agents can make during a call. */
export function ToolsPage() {
  const { search, change, turn } = useAddress(route.useSearch(), route.useNavigate());
  const mayOperate = useMayOperate();
  const filter = listFilter(search);
  const query = useQuery(toolsQuery(filter));
  return (
    <ListPage
      query={query}
      label="Tools"
      requests={[{ path: `/v1/tools${stringifySearch({ ...filter })}` }]}
      actions={mayOperate && <LinkButton to="/tools/new">New tool</LinkButton>}
      search={{ label: 'Name or description', text: search.search, onSearch: (text) => change({ search: text }) }}
      head={['Function', 'What it does', 'Request'].map((words) => ({ words }))}
      empty={
        search.search === undefined
          ? 'There are no tools yet. A tool is a request that an agent can make during a call.'
          : 'No tool matches the filter.'
      }
      onTurn={turn}
    >
      {({ toolId, name, description, method, url }) => (
        <Table.Tr key={toolId} data-tool={toolId}>
          <Table.Td>
            <TextLink to="/tools/$toolId" params={{ toolId }}>
              {name}
            </TextLink>
          </Table.Td>
          <Table.Td style={{ minWidth: '14rem' }}>{description}</Table.Td>
          <Table.Td style={{ overflowWrap: 'anywhere', minWidth: '12rem' }}>
            {method} {url}
          </Table.Td>
        </Table.Tr>
      )}
    </ListPage>
  );
}

import { NativeSelect, Table } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { agentsQuery } from '../api/agents.js';
import { useAddress } from '../app/address.js';
import { listFilter } from '../app/list-search.js';
import { stringifySearch } from '../app/search.js';
import { useMayOperate } from '../session/session.js';
import { LinkButton } from '../ui/link-button.js';
import { TextLink } from '../ui/link.js';
import { ListPage } from '../ui/list-page.js';
import { Status } from '../ui/status.js';
import { Time } from '../ui/time.js';
import { agentsSearch } from './search.js';

const route = getRouteApi('/agents');

/** The agents of the account, and which of them are live. */
export function AgentsPage() {
  const { search, change, turn } = useAddress(route.useSearch(), route.useNavigate());
  const mayOperate = useMayOperate();
  const filter = { ...listFilter(search), ...(search.status === undefined ? {} : { status: search.status }) };
  const query = useQuery(agentsQuery(filter));
  const isFiltered = search.search !== undefined || search.status !== undefined;
  return (
    <ListPage
      query={query}
      label="Agents"
      requests={[{ path: `/v1/agents${stringifySearch({ ...filter })}` }]}
      actions={mayOperate && <LinkButton to="/agents/new">New agent</LinkButton>}
      search={{ label: 'Name', text: search.search, onSearch: (text) => change({ search: text }) }}
      filters={
        <NativeSelect
          label="State"
          value={search.status ?? ''}
          data={[
            { value: '', label: 'any' },
            { value: 'active', label: 'live' },
            { value: 'inactive', label: 'not live' },
          ]}
          onChange={(event) => change({ status: agentsSearch({ status: event.currentTarget.value }).status })}
        />
      }
      head={['Name', 'State', 'Last change'].map((words) => ({ words }))}
      empty={isFiltered ? 'No agent matches the filter.' : 'There are no agents yet. An agent speaks in a call.'}
      onTurn={turn}
    >
      {({ agentId, name, status, updatedAt }) => (
        <Table.Tr key={agentId} data-agent={agentId}>
          <Table.Td>
            <TextLink to="/agents/$agentId" params={{ agentId }}>
              {name}
            </TextLink>
          </Table.Td>
          <Table.Td>
            <Status status={status === 'active' ? 'live' : 'not live'} />
          </Table.Td>
          <Table.Td>
            <Time at={updatedAt} />
          </Table.Td>
        </Table.Tr>
      )}
    </ListPage>
  );
}

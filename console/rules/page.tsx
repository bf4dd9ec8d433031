import { NativeSelect, Table } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { agentsQuery } from '../api/agents.js';
import { rulesQuery } from '../api/telephony.js';
import { useAddress } from '../app/address.js';
import { listFilter } from '../app/list-search.js';
import { stringifySearch } from '../app/search.js';
import { useMayOperate } from '../session/session.js';
import { LinkButton } from '../ui/link-button.js';
import { TextLink } from '../ui/link.js';
import { ListPage } from '../ui/list-page.js';
import { Status } from '../ui/status.js';
import { figure } from '../ui/words.js';

const route = getRouteApi('/rules');
const mostShown = 3;

/** The first numbers of a rule, and how many more there are. */
const numbersSaid = (numbers: readonly string[]): string =>
  numbers.length === 0
    ? '–'
    : numbers.slice(0, mostShown).join(', ') +
      (numbers.length > mostShown ? ` and ${figure(numbers.length - mostShown)} more` : '');

/** Which agent takes part in the calls of which numbers. */
export function RulesPage() {
  const { search, change, turn } = useAddress(route.useSearch(), route.useNavigate());
  const mayOperate = useMayOperate();
  const filter = { ...listFilter(search), ...(search.type === undefined ? {} : { type: search.type }) };
  const query = useQuery(rulesQuery(filter));
  const { data: agents } = useQuery(agentsQuery({ perPage: 100 }));
  const isFiltered = search.search !== undefined || search.type !== undefined;
  return (
    <ListPage
      query={query}
      label="Routing rules"
      requests={[{ path: `/v2/sip/routing-rule${stringifySearch({ ...filter })}` }]}
      actions={
        mayOperate && (
          <LinkButton to="/rules/new" search={{ type: search.type }}>
            New rule
          </LinkButton>
        )
      }
      search={{ label: 'Name or number', text: search.search, onSearch: (text) => change({ search: text }) }}
      filters={
        <NativeSelect
          label="Calls go"
          value={search.type ?? ''}
          data={[
            { value: '', label: 'out and in' },
            { value: 'outbound', label: 'out' },
            { value: 'inbound', label: 'in' },
          ]}
          onChange={(event) => {
            const type = event.currentTarget.value;
            change({ type: type === 'inbound' || type === 'outbound' ? type : undefined });
          }}
        />
      }
      head={['Name', 'Calls go', 'Numbers', 'Agent'].map((words) => ({ words }))}
      empty={
        isFiltered
          ? 'No rule matches the filter.'
          : 'There are no rules yet. A rule says which agent takes the calls of which numbers.'
      }
      onTurn={turn}
    >
      {({ id, name, type, phoneNumbers, agentId, problem }) => (
        <Table.Tr key={id} data-rule={id}>
          <Table.Td>
            <TextLink to="/rules/$ruleId" params={{ ruleId: id }}>
              {name}
            </TextLink>{' '}
            {problem !== undefined && <Status status="does not work" />}
          </Table.Td>
          <Table.Td>{type === 'outbound' ? 'out' : 'in'}</Table.Td>
          <Table.Td>{numbersSaid(phoneNumbers)}</Table.Td>
          <Table.Td>{agents?.data.find((agent) => agent.agentId === agentId)?.name ?? agentId ?? '–'}</Table.Td>
        </Table.Tr>
      )}
    </ListPage>
  );
}

import { NativeSelect, Table, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import type { Schemas } from '../api/client.js';
import { overviewQuery } from '../api/queries.js';
import { answersQuery, answersSince, gatewaysQuery } from '../api/telephony.js';
import { useAddress } from '../app/address.js';
import { listFilter } from '../app/list-search.js';
import { stringifySearch } from '../app/search.js';
import { useMayOperate } from '../session/session.js';
import { NumberCell, ShareCell } from '../ui/data-table.js';
import { LinkButton } from '../ui/link-button.js';
import { TextLink } from '../ui/link.js';
import { ListPage } from '../ui/list-page.js';
import { Status } from '../ui/status.js';
import { figure } from '../ui/words.js';
import { answersFrom } from './answers.js';

const route = getRouteApi('/gateways');

const outboundHead = [
  ...[{ words: 'Name' }, { words: 'Address' }, { words: 'Numbers', isNumber: true }],
  ...[
    { words: 'Lines in use', isNumber: true },
    { words: 'Calls per second', isNumber: true },
  ],
  { words: 'Answered, 7 days', isNumber: true },
];
const inboundHead = ['Name', 'Address', 'Numbers', 'Who may call'].map((words) => ({
  words,
  isNumber: words === 'Numbers',
}));

/** Who is let in: without any of it nobody is, unless the rule says who. */
const admittedSaid = ({ auth, allowedAddresses }: Schemas['Gateway']): string => {
  const from = allowedAddresses.length === 0 ? [] : [allowedAddresses.join(', ')];
  const all = [...(auth === undefined ? [] : [`with the credentials of ${auth.username}`]), ...from];
  return all.length === 0 ? 'no one, unless its rule has addresses' : all.join(', from ');
};

interface LineProps {
  readonly gateway: Schemas['Gateway'];
  /** How much of it is in use; undefined: not known. */
  readonly use: Schemas['GatewayOverview'] | undefined;
  readonly stats: Schemas['AccountStats'] | undefined;
}

function OutboundCells({ gateway, use, stats }: LineProps) {
  const { attempts, answered } = answersFrom(stats, gateway.numbers);
  return (
    <>
      <NumberCell>
        {use === undefined ? '–' : `${figure(use.liveCalls)} of ${figure(use.maxConcurrentCalls)}`}
      </NumberCell>
      <NumberCell>
        {use === undefined ? '–' : `${figure(use.callsPerSecondUsed)} of ${figure(use.callsPerSecond)}`}
      </NumberCell>
      <ShareCell part={answered} whole={attempts} />
    </>
  );
}

function Line({ gateway, use, stats, isInbound }: LineProps & { readonly isInbound: boolean }) {
  const suspended = use?.suspended ?? null;
  return (
    <Table.Tr data-gateway={gateway.id}>
      <Table.Td>
        <TextLink to="/gateways/$gatewayId" params={{ gatewayId: gateway.id }}>
          {gateway.name}
        </TextLink>{' '}
        {suspended !== null && (
          <>
            <Status status="suspended" />
            <Text size="xs" c="dimmed">
              {suspended.reason ?? ''}
            </Text>
          </>
        )}
      </Table.Td>
      <Table.Td>{gateway.address ?? '–'}</Table.Td>
      <NumberCell>{figure(gateway.numbers.length)}</NumberCell>
      {isInbound ? (
        <Table.Td>{admittedSaid(gateway)}</Table.Td>
      ) : (
        <OutboundCells gateway={gateway} use={use} stats={stats} />
      )}
    </Table.Tr>
  );
}

/** The trunks of the account: what is in use of each, whether its carrier takes calls, and how many are answered. */
export function GatewaysPage() {
  const { search, change, turn } = useAddress(route.useSearch(), route.useNavigate());
  const mayOperate = useMayOperate();
  const direction = search.type ?? 'outbound';
  const filter = listFilter(search);
  const query = useQuery(gatewaysQuery(direction, filter));
  const { data: overview } = useQuery(overviewQuery);
  const { data: stats } = useQuery(answersQuery);
  return (
    <ListPage
      query={query}
      label="Gateways"
      requests={[
        { path: `/v2/sip/${direction}-gateways${stringifySearch({ ...filter })}` },
        ...(direction === 'outbound'
          ? [{ path: '/v1/overview' }, { path: `/v1/stats?by=phoneNumber&from=${answersSince()}` }]
          : []),
      ]}
      actions={
        mayOperate && (
          <LinkButton to="/gateways/new" search={{ type: search.type }}>
            New gateway
          </LinkButton>
        )
      }
      search={{
        label: 'Name, address or number',
        text: search.search,
        onSearch: (text) => change({ search: text }),
      }}
      filters={
        <NativeSelect
          label="Calls go"
          value={direction}
          data={[
            { value: 'outbound', label: 'out' },
            { value: 'inbound', label: 'in' },
          ]}
          onChange={(event) => change({ type: event.currentTarget.value === 'inbound' ? 'inbound' : undefined })}
        />
      }
      head={direction === 'outbound' ? outboundHead : inboundHead}
      empty={
        search.search === undefined
          ? `There is no ${direction} gateway. A gateway is a trunk of your carrier.`
          : 'No gateway matches the filter.'
      }
      onTurn={turn}
    >
      {(gateway) => (
        <Line
          key={gateway.id}
          gateway={gateway}
          use={overview?.gateways.find(({ gatewayId }) => gatewayId === gateway.id)}
          stats={stats}
          isInbound={direction === 'inbound'}
        />
      )}
    </ListPage>
  );
}

import { Table } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import type { Schemas } from '../api/client.js';
import { numbersQuery } from '../api/telephony.js';
import { useAddress } from '../app/address.js';
import { listFilter } from '../app/list-search.js';
import { stringifySearch } from '../app/search.js';
import { useMayOperate } from '../session/session.js';
import { NumberCell, PhoneCell, ShareCell } from '../ui/data-table.js';
import { LinkButton } from '../ui/link-button.js';
import { TextLink } from '../ui/link.js';
import { ListPage } from '../ui/list-page.js';
import { figure } from '../ui/words.js';
import { GatewayOrNone } from './gateway-or-none.js';

const route = getRouteApi('/numbers');

type Today = Pick<Schemas['PhoneNumber']['phoneNumber'], 'callsToday' | 'maxCallsPerDay'>;

/** The calls of today against the limit of a day; those of a number that never had a limit are not counted. */
function todayOf({ callsToday, maxCallsPerDay }: Today): string {
  if (callsToday === null) return '–';
  return maxCallsPerDay === null ? figure(callsToday) : `${figure(callsToday)} of ${figure(maxCallsPerDay)}`;
}

/** The numbers of the account, with the ways by which calls go out and come in. */
export function NumbersPage() {
  const { search, change, turn } = useAddress(route.useSearch(), route.useNavigate());
  const mayOperate = useMayOperate();
  const filter = listFilter(search);
  const query = useQuery(numbersQuery(filter));
  return (
    <ListPage
      query={query}
      label="Numbers"
      requests={[{ path: `/v2/sip/phone-numbers${stringifySearch({ ...filter })}` }]}
      actions={mayOperate && <LinkButton to="/numbers/new">Register numbers</LinkButton>}
      search={{ label: 'Number or name', text: search.search, onSearch: (text) => change({ search: text }) }}
      head={[
        ...['Number', 'Name', 'Outbound gateway', 'Inbound gateway'].map((words) => ({ words })),
        { words: 'Calls today', isNumber: true },
        { words: 'Answered, 7 days', isNumber: true },
      ]}
      empty={
        search.search === undefined
          ? 'There are no numbers yet. Register those of your carrier’s trunk.'
          : 'No number matches the filter.'
      }
      onTurn={turn}
    >
      {({ phoneNumber: { phoneNumberId, e164, name, ...facts }, inbound, outbound }) => {
        const { attempts, answered } = facts.lastSevenDays;
        return (
          <Table.Tr key={phoneNumberId} data-number={e164}>
            <PhoneCell>
              <TextLink to="/numbers/$phoneNumberId" params={{ phoneNumberId }}>
                {e164}
              </TextLink>
            </PhoneCell>
            <Table.Td>{name}</Table.Td>
            <Table.Td>
              <GatewayOrNone gateway={outbound} />
            </Table.Td>
            <Table.Td>
              <GatewayOrNone gateway={inbound} />
            </Table.Td>
            <NumberCell>{todayOf(facts)}</NumberCell>
            <ShareCell part={answered} whole={attempts} />
          </Table.Tr>
        );
      }}
    </ListPage>
  );
}

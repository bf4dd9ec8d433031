import { Table } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { answersQuery, answersSince, numbersQuery } from '../api/telephony.js';
import { listFilter, type ListSearch } from '../app/list-search.js';
import { stringifySearch } from '../app/search.js';
import { answersFrom } from '../gateways/answers.js';
import { useMayOperate } from '../session/session.js';
import { ShareCell } from '../ui/data-table.js';
import { LinkButton } from '../ui/link-button.js';
import { TextLink } from '../ui/link.js';
import { ListPage } from '../ui/list-page.js';
import { GatewayLink } from './gateway-link.js';

const route = getRouteApi('/numbers');

/** The numbers of the account, with the ways by which calls go out and come in. */
export function NumbersPage() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const mayOperate = useMayOperate();
  const filter = listFilter(search);
  const query = useQuery(numbersQuery(filter));
  const { data: stats } = useQuery(answersQuery);
  const change = (part: ListSearch) =>
    void navigate({ search: (before) => ({ ...before, page: undefined, ...part }), replace: true, resetScroll: false });
  return (
    <ListPage
      query={query}
      label="Numbers"
      requests={[
        { path: `/v2/sip/phone-numbers${stringifySearch({ ...filter })}` },
        { path: `/v1/stats?by=phoneNumber&from=${answersSince()}` },
      ]}
      actions={mayOperate && <LinkButton to="/numbers/new">Register numbers</LinkButton>}
      search={{ label: 'Number or name', text: search.search, onSearch: (text) => change({ search: text }) }}
      head={[
        ...['Number', 'Name', 'Calls go out by', 'Calls come in by'].map((words) => ({ words })),
        { words: 'Answered, 7 days', isNumber: true },
      ]}
      empty={
        search.search === undefined
          ? 'There is no number. Register those of your carrier’s trunk.'
          : 'No number is like this.'
      }
      onTurn={(page, perPage) => void navigate({ search: (before) => ({ ...before, page, perPage }) })}
    >
      {({ phoneNumber: { phoneNumberId, e164, name }, inbound, outbound }) => {
        const { attempts, answered } = answersFrom(stats, [e164]);
        return (
          <Table.Tr key={phoneNumberId} data-number={e164}>
            <Table.Td>
              <TextLink to="/numbers/$phoneNumberId" params={{ phoneNumberId }}>
                {e164}
              </TextLink>
            </Table.Td>
            <Table.Td>{name}</Table.Td>
            <Table.Td>
              <GatewayLink gateway={outbound} />
            </Table.Td>
            <Table.Td>
              <GatewayLink gateway={inbound} />
            </Table.Td>
            <ShareCell part={answered} whole={attempts} />
          </Table.Tr>
        );
      }}
    </ListPage>
  );
}

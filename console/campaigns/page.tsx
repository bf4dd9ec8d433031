import { Table } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { campaignsQuery } from '../api/campaigns.js';
import { useAddress } from '../app/address.js';
import { listFilter } from '../app/list-search.js';
import { stringifySearch } from '../app/search.js';
import { useMayOperate } from '../session/session.js';
import { NumberCell } from '../ui/data-table.js';
import { TextLink } from '../ui/link.js';
import { LinkButton } from '../ui/link-button.js';
import { ListPage } from '../ui/list-page.js';
import { Status } from '../ui/status.js';
import { Time } from '../ui/time.js';
import { figure } from '../ui/words.js';

const route = getRouteApi('/campaigns');

/** All campaigns: when each runs next, and how many wait for it. */
export function CampaignsPage() {
  const { search, turn } = useAddress(route.useSearch(), route.useNavigate());
  const mayOperate = useMayOperate();
  const filter = listFilter({ page: search.page, perPage: search.perPage });
  const query = useQuery(campaignsQuery(filter));
  return (
    <ListPage
      query={query}
      label="Campaigns"
      requests={[{ path: `/v1/campaigns${stringifySearch({ ...filter })}` }]}
      actions={mayOperate && <LinkButton to="/campaigns/new">New campaign</LinkButton>}
      head={[
        { words: 'Name' },
        { words: 'Status' },
        { words: 'Runs at' },
        { words: 'Next run' },
        { words: 'Waiting', isNumber: true },
      ]}
      empty="There are no campaigns yet. At each of its times, a campaign makes a batch call with the recipients that were added since the last one."
      onTurn={turn}
    >
      {({ campaignId, name, status, cron, timezone, nextRunAt, waiting }) => (
        <Table.Tr key={campaignId}>
          <Table.Td>
            <TextLink to="/campaigns/$campaignId" params={{ campaignId }}>
              {name}
            </TextLink>
          </Table.Td>
          <Table.Td>
            <Status status={status} />
          </Table.Td>
          <Table.Td>{`${cron} (${timezone})`}</Table.Td>
          <Table.Td>{nextRunAt === undefined ? '–' : <Time at={nextRunAt} />}</Table.Td>
          <NumberCell>{figure(waiting)}</NumberCell>
        </Table.Tr>
      )}
    </ListPage>
  );
}

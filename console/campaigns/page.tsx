import { Button, Table } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { campaignsQuery, createCampaign } from '../api/campaigns.js';
import { listFilter } from '../app/list-search.js';
import { stringifySearch } from '../app/search.js';
import { useMayOperate } from '../session/session.js';
import { NumberCell } from '../ui/data-table.js';
import { Dialog } from '../ui/dialog.js';
import { ResourceForm } from '../ui/form/resource-form.js';
import { TextLink } from '../ui/link.js';
import { ListPage } from '../ui/list-page.js';
import { Status } from '../ui/status.js';
import { Time } from '../ui/time.js';
import { figure } from '../ui/words.js';
import { campaignGroups } from './fields.js';

const route = getRouteApi('/campaigns');

/** What a new campaign holds before anything is typed. */
const proposed = { cron: '0 9 * * 1-5', timezone: Intl.DateTimeFormat().resolvedOptions().timeZone };

/** All campaigns: when each runs next, and how many wait for it. */
export function CampaignsPage() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const mayOperate = useMayOperate();
  const [opened, { open, close }] = useDisclosure(false);
  const filter = listFilter({ page: search.page, perPage: search.perPage });
  const query = useQuery(campaignsQuery(filter));
  return (
    <>
      <ListPage
        query={query}
        label="Campaigns"
        requests={[{ path: `/v1/campaigns${stringifySearch({ ...filter })}` }]}
        actions={
          mayOperate && (
            <Button size="xs" onClick={open}>
              New campaign
            </Button>
          )
        }
        head={[
          { words: 'Name' },
          { words: 'Status' },
          { words: 'Runs at' },
          { words: 'Next run' },
          { words: 'Waiting', isNumber: true },
        ]}
        empty="There is none. A campaign makes a batch call again and again, from the recipients that were added since the last one."
        onTurn={(page, perPage) => void navigate({ search: { page, perPage } })}
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
      <Dialog opened={opened} onClose={close} title="New campaign" size="lg">
        <ResourceForm
          groups={campaignGroups}
          action="Make the campaign"
          proposed={proposed}
          send={createCampaign}
          onDone={({ campaignId }) => void navigate({ to: '/campaigns/$campaignId', params: { campaignId } })}
        />
      </Dialog>
    </>
  );
}

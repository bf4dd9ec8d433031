import { Group, Skeleton, Stack, Table } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { campaignQuery, campaignRunsQuery } from '../api/campaigns.js';
import type { Schemas } from '../api/client.js';
import { useAddress } from '../app/address.js';
import { listFilter } from '../app/list-search.js';
import { useMayOperate } from '../session/session.js';
import { NumberCell } from '../ui/data-table.js';
import { FactList } from '../ui/fact-list.js';
import { Fresh } from '../ui/fresh.js';
import { lazyPart } from '../ui/lazy.js';
import { TextLink } from '../ui/link.js';
import { List } from '../ui/list-page.js';
import { Page } from '../ui/page.js';
import { Part } from '../ui/part.js';
import { Status } from '../ui/status.js';
import { Time } from '../ui/time.js';
import { figure } from '../ui/words.js';
import { Steering } from './steering.js';
import { Views } from './views.js';

const Times = lazyPart(
  async () => (await import('./times.js')).Times,
  <Skeleton height={112} role="status" aria-label="Loading" />,
);
const Settings = lazyPart(async () => (await import('./settings.js')).Settings);

const route = getRouteApi('/campaigns/$campaignId');

const Facts = ({ campaign }: { readonly campaign: Schemas['Campaign'] }) => (
  <FactList
    facts={[
      { name: 'Waiting for the next run', said: figure(campaign.waiting) },
      {
        name: 'Runs at',
        said: <Times cron={campaign.cron} zone={campaign.timezone} isPaused={campaign.status === 'paused'} />,
      },
      { name: 'Next run', said: campaign.nextRunAt === undefined ? '–' : <Time at={campaign.nextRunAt} /> },
      { name: 'Created', said: <Time at={campaign.createdAt} /> },
      { name: 'Id', said: campaign.campaignId },
    ]}
  />
);

/** One campaign: who waits, when it runs, what its runs came to. */
export function CampaignPage() {
  const { campaignId } = route.useParams();
  const navigate = route.useNavigate();
  const { search, turn } = useAddress(route.useSearch(), navigate);
  const mayOperate = useMayOperate();
  const query = useQuery(campaignQuery(campaignId));
  const filter = listFilter({ page: search.page, perPage: search.perPage });
  const runs = useQuery(campaignRunsQuery(campaignId, filter));
  const campaign = query.data;
  const path = `/v1/campaigns/${encodeURIComponent(campaignId)}`;
  return (
    <Page
      title={campaign?.name ?? 'Campaign'}
      marks={campaign !== undefined && <Status status={campaign.status} />}
      requests={[{ path }, { path: `${path}/runs` }]}
      actions={
        mayOperate &&
        campaign !== undefined && (
          <Group gap="xs">
            <Steering campaign={campaign} onDelete={() => navigate({ to: '/campaigns', ignoreBlocker: true })} />
          </Group>
        )
      }
    >
      <Views campaignId={campaignId} view={search.view} />
      <Fresh query={query}>
        {(found) =>
          search.view === 'settings' ? (
            <Settings campaign={found} />
          ) : (
            <Stack gap="lg">
              <Part id="facts" title="Details">
                <Facts campaign={found} />
              </Part>
              <Part id="runs" title="Runs">
                <List
                  query={runs}
                  label="Runs of the campaign"
                  head={[
                    { words: 'Due' },
                    { words: 'Outcome' },
                    { words: 'Recipients', isNumber: true },
                    { words: 'Batch call' },
                  ]}
                  empty="It has not run yet."
                  onTurn={turn}
                >
                  {({ dueAt, manual, outcome, recipients, batchId, problem }) => (
                    <Table.Tr key={dueAt}>
                      <Table.Td>
                        <Time at={dueAt} />
                        {manual ? ', asked for' : ''}
                      </Table.Td>
                      <Table.Td>
                        <Status status={outcome} />
                        {problem === undefined ? '' : ` ${problem}`}
                      </Table.Td>
                      <NumberCell>{figure(recipients)}</NumberCell>
                      <Table.Td>
                        {batchId === undefined ? (
                          '–'
                        ) : (
                          <TextLink to="/batches/$batchId" params={{ batchId }}>
                            {batchId}
                          </TextLink>
                        )}
                      </Table.Td>
                    </Table.Tr>
                  )}
                </List>
              </Part>
            </Stack>
          )
        }
      </Fresh>
    </Page>
  );
}

import { Group, Paper, Stack, Table } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { campaignQuery, campaignRunsQuery, changeCampaign } from '../api/campaigns.js';
import type { Schemas } from '../api/client.js';
import { listFilter } from '../app/list-search.js';
import { campaignGroups } from '../campaigns/fields.js';
import { useMayOperate } from '../session/session.js';
import { NumberCell } from '../ui/data-table.js';
import { FactList } from '../ui/fact-list.js';
import { ResourceForm } from '../ui/form/resource-form.js';
import { Fresh } from '../ui/fresh.js';
import { TextLink } from '../ui/link.js';
import { List } from '../ui/list-page.js';
import { Page } from '../ui/page.js';
import { Part } from '../ui/part.js';
import { Status } from '../ui/status.js';
import { Time } from '../ui/time.js';
import { figure } from '../ui/words.js';
import { Steering } from './steering.js';

const route = getRouteApi('/campaigns/$campaignId');

const Facts = ({ campaign }: { readonly campaign: Schemas['Campaign'] }) => (
  <FactList
    facts={[
      { name: 'Waiting for the next run', said: figure(campaign.waiting) },
      { name: 'Next run', said: campaign.nextRunAt === undefined ? '–' : <Time at={campaign.nextRunAt} /> },
      { name: 'Made', said: <Time at={campaign.createdAt} /> },
      { name: 'Id', said: campaign.campaignId },
    ]}
  />
);

/** One campaign: who waits, when it runs, what its runs came to. */
export function CampaignPage() {
  const { campaignId } = route.useParams();
  const search = route.useSearch();
  const navigate = route.useNavigate();
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
            <Steering campaign={campaign} onDelete={() => navigate({ to: '/campaigns' })} />
          </Group>
        )
      }
    >
      <Fresh query={query}>
        {(found) => (
          <Stack gap="lg">
            <Part id="facts" title="About it">
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
                onTurn={(page, perPage) => void navigate({ search: { page, perPage } })}
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
            {mayOperate && (
              <Paper withBorder p="md" maw={760} component="section" aria-label="Settings">
                <ResourceForm
                  groups={campaignGroups}
                  action="Save"
                  resource={found}
                  send={(body) => changeCampaign(campaignId, body)}
                />
              </Paper>
            )}
          </Stack>
        )}
      </Fresh>
    </Page>
  );
}

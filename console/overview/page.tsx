import { SimpleGrid, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { overviewQuery } from '../api/queries.js';
import { useMayOperate } from '../session/session.js';
import { Fresh } from '../ui/fresh.js';
import { Page } from '../ui/page.js';
import { ActiveBatches, activeBatches } from './active-batches.js';
import { AgentSlots } from './agent-slots.js';
import { Figures } from './figures.js';
import { StopDialing } from './stop-dialing.js';
import { Trunks } from './trunks.js';

const requests = [
  { path: '/v1/overview' },
  { path: `/v1/batch-calls?status=${activeBatches.status}&perPage=${activeBatches.perPage}` },
];

/** How the dialing goes at this moment. */
export function OverviewPage() {
  const overview = useQuery(overviewQuery);
  const mayOperate = useMayOperate();
  return (
    <Page title="Overview" requests={requests} actions={mayOperate && <StopDialing overview={overview.data} />}>
      <Fresh query={overview}>
        {(data) => (
          <Stack gap="lg">
            <Figures overview={data} />
            <ActiveBatches />
            <SimpleGrid cols={{ base: 1, lg: 2 }}>
              <Trunks gateways={data.gateways} />
              <AgentSlots regions={data.agentSlots} />
            </SimpleGrid>
          </Stack>
        )}
      </Fresh>
    </Page>
  );
}

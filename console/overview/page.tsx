import { Button, SimpleGrid, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { startedQuery } from '../api/first-run.js';
import { overviewQuery } from '../api/queries.js';
import { useMayOperate } from '../session/session.js';
import { Fresh } from '../ui/fresh.js';
import { lazyPart } from '../ui/lazy.js';
import { Page } from '../ui/page.js';
import { ActiveBatches, activeBatches } from './active-batches.js';
import { AgentSlots } from './agent-slots.js';
import { Figures } from './figures.js';
import { StopDialing } from './stop-dialing.js';
import { Trunks } from './trunks.js';
import { MissingWorkers, Warnings, Workers } from './workers.js';

const requests = [
  { path: '/v1/overview' },
  { path: `/v1/batch-calls?status=${activeBatches.status}&perPage=${activeBatches.perPage}` },
];

/** Loaded by those accounts alone that need it. */
const FirstRun = lazyPart(async () => (await import('../first-run/first-run.js')).FirstRun, null);

/** How the dialing goes at this moment. */
export function OverviewPage() {
  const overview = useQuery(overviewQuery);
  const started = useQuery(startedQuery);
  const mayOperate = useMayOperate();
  const actions = mayOperate && (
    <>
      <Button component={Link} to="/new">
        New batch call
      </Button>
      <StopDialing overview={overview.data} />
    </>
  );
  return (
    <Page title="Overview" requests={requests} actions={actions}>
      <Fresh query={overview}>
        {(data) => (
          <Stack gap="lg">
            <Warnings warnings={data.warnings} />
            <MissingWorkers versions={data.workerVersions} />
            {started.data?.pageInfo.total === 0 && <FirstRun />}
            <Figures overview={data} />
            <ActiveBatches />
            <SimpleGrid cols={{ base: 1, lg: 2 }}>
              <Trunks gateways={data.gateways} />
              <AgentSlots regions={data.agentSlots} />
              <Workers versions={data.workerVersions} />
            </SimpleGrid>
          </Stack>
        )}
      </Fresh>
    </Page>
  );
}

import { Paper, SimpleGrid, Stack, Text, Title } from '@mantine/core';
import type { FiguresBy } from '../api/batch-queries.js';
import type { Schemas } from '../api/client.js';
import { lazyPart } from '../ui/lazy.js';
import { Progress } from '../ui/progress.js';
import { Counts } from './counts.js';
import { Facts } from './facts.js';
import { Waiting } from './waiting.js';

// Below the first screen: loaded once that is there.
const Timeline = lazyPart(async () => (await import('./timeline.js')).Timeline);
const Figures = lazyPart(async () => (await import('./figures.js')).Figures);

interface Props {
  readonly batch: Schemas['BatchCallDetail'];
  readonly by: FiguresBy;
  readonly onSplit: (by: FiguresBy) => void;
}

/** How far a batch call is, why it waits, and what came of its calls. */
export const Overview = ({ batch, by, onSplit }: Props) => (
  <Stack gap="lg">
    <Paper withBorder p="md" component="section" aria-labelledby="progress">
      <Title order={2} size="h4" id="progress" mb="xs">
        {batch.progress}% of the calls have finished
      </Title>
      <Progress counts={batch.counts} legend />
      {batch.paused && <Text mt="sm">{batch.pausedDetails}</Text>}
      <Text mt="xs">{batch.parseError ?? batch.waitingFor}</Text>
    </Paper>
    <SimpleGrid cols={{ base: 1, md: 2 }} spacing="lg">
      <Counts batch={batch} />
      <Stack gap="lg">
        <Waiting batch={batch} />
        <Facts batch={batch} />
      </Stack>
    </SimpleGrid>
    <Timeline batch={batch} />
    <Figures batch={batch} by={by} onSplit={onSplit} />
  </Stack>
);

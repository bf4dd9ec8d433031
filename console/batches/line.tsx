import { Group, Text } from '@mantine/core';
import type { Schemas } from '../api/client.js';
import { Progress } from '../ui/progress.js';
import { Simulated, Status } from '../ui/status.js';
import classes from './line.module.css';

/** A batch call in a list: its name, how far it is, and what it waits for. */
export const BatchLine = ({ batch }: { readonly batch: Schemas['BatchCallItem'] }) => (
  <article className={classes.line} aria-label={batch.batchName}>
    <Group justify="space-between" gap="xs" mb={6}>
      <Group gap="xs">
        <Text fw={600} className={classes.name ?? ''}>
          {batch.batchName}
        </Text>
        <Status status={batch.status} />
        {batch.paused && <Status status="paused" />}
        {batch.simulated && <Simulated />}
      </Group>
      <Text size="sm" c="dimmed">
        {batch.progress} % over
      </Text>
    </Group>
    <Progress counts={batch.counts} legend />
    <Text size="sm" mt={6}>
      {batch.paused && batch.pausedDetails !== undefined ? `${batch.pausedDetails} ` : ''}
      {batch.waitingFor}
    </Text>
  </article>
);

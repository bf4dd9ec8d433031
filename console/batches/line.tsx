import { Group, Text } from '@mantine/core';
import type { Schemas } from '../api/client.js';
import { TextLink } from '../ui/link.js';
import { Progress } from '../ui/progress.js';
import { Simulated, Status } from '../ui/status.js';
import { Time } from '../ui/time.js';
import classes from './line.module.css';

type Batch = Schemas['BatchCallItem'];

/** When it was made, and when its calls begin or began. */
function Times({ batch }: { readonly batch: Batch }) {
  const { createdAt, startsAt, updatedAt, timezone, timing, status } = batch;
  return (
    <Text size="sm" c="dimmed" mt={4}>
      Created <Time at={createdAt} zone={timezone} />
      {timing === 'scheduled' && (
        <>
          {' · '}
          {status === 'scheduled' || status === 'parsing' ? 'starts' : 'start planned for'}{' '}
          <Time at={startsAt} zone={timezone} />
        </>
      )}
      {' · '}
      last change <Time at={updatedAt} zone={timezone} /> · from {batch.phoneNumber}
    </Text>
  );
}

interface Props {
  readonly batch: Batch;
  readonly withTimes?: boolean;
}

/** A batch call in a list: its name, how far it is, and what it waits for. */
export const BatchLine = ({ batch, withTimes = false }: Props) => (
  <article className={classes.line} aria-label={batch.batchName}>
    <Group justify="space-between" gap="xs" mb={6}>
      <Group gap="xs">
        <Text fw={600} className={classes.name ?? ''}>
          <TextLink to="/batches/$batchId" params={{ batchId: batch.batchId }} underline="hover">
            {batch.batchName}
          </TextLink>
        </Text>
        <Status status={batch.status} />
        {batch.paused && <Status status="paused" />}
        {batch.simulated && <Simulated />}
      </Group>
      <Text size="sm" c="dimmed">
        {batch.progress}% finished
      </Text>
    </Group>
    <Progress counts={batch.counts} legend />
    <Text size="sm" mt={6}>
      {batch.paused && batch.pausedDetails !== undefined ? `${batch.pausedDetails} ` : ''}
      {batch.parseError ?? batch.waitingFor}
    </Text>
    {withTimes && <Times batch={batch} />}
  </article>
);

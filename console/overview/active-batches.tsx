import { Paper, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { batchesQuery } from '../api/queries.js';
import { BatchLine } from '../batches/line.js';
import { Fresh } from '../ui/fresh.js';
import { TextLink } from '../ui/link.js';
import { counted } from '../ui/words.js';

/** Those that go on or will, newest first. */
export const activeBatches = { status: 'running,cancelling,scheduled,parsing', perPage: 20 };

/** Batch calls that are not over: how far each is, and what it waits for. */
export function ActiveBatches() {
  const batches = useQuery(batchesQuery(activeBatches));
  return (
    <Paper withBorder p="md" component="section" aria-labelledby="active">
      <Title order={2} size="h4" id="active" mb="xs">
        Running and scheduled batch calls
      </Title>
      <Fresh query={batches}>
        {({ data, pageInfo }) => (
          <>
            {data.length === 0 && <Text c="dimmed">No batch call is running or scheduled.</Text>}
            {data.map((batch) => (
              <BatchLine key={batch.batchId} batch={batch} />
            ))}
            {pageInfo.total > data.length && (
              <Text size="sm" c="dimmed" mt="sm">
                {counted(pageInfo.total - data.length, 'older one is', 'older ones are')} not shown here.{' '}
                <TextLink to="/batches" search={{ status: activeBatches.status }}>
                  See all
                </TextLink>
              </Text>
            )}
          </>
        )}
      </Fresh>
    </Paper>
  );
}

import { Paper, SimpleGrid, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Schemas } from '../api/client.js';
import { Time } from '../ui/time.js';
import { counted, figure } from '../ui/words.js';
import classes from './overview.module.css';

interface FigureProps {
  readonly name: string;
  readonly value: string;
  readonly children: ReactNode;
}

const Figure = ({ name, value, children }: FigureProps) => (
  <Paper withBorder p="md" component="section" aria-label={name}>
    <Text size="sm" c="dimmed">
      {name}
    </Text>
    <div className={classes.figure}>{value}</div>
    <Text size="sm">{children}</Text>
  </Paper>
);

/** The account in four figures. */
export function Figures({ overview }: { readonly overview: Schemas['Overview'] }) {
  const { liveCalls, batches, callsInLastMinute, oldestDue, webhookBacklog } = overview;
  return (
    <SimpleGrid cols={{ base: 2, lg: 4 }}>
      <Figure name="Live calls" value={figure(liveCalls.total)}>
        {figure(liveCalls.dialing)} dialing, {figure(liveCalls.ringing)} ringing, {figure(liveCalls.answered)} answered
      </Figure>
      <Figure name="Running batch calls" value={figure(batches.running)}>
        {figure(batches.paused)} paused, {figure(batches.scheduled)} scheduled
      </Figure>
      <Figure name="Dialed in the last minute" value={figure(callsInLastMinute)}>
        {oldestDue === null ? (
          'No due call is waiting.'
        ) : (
          <>
            Longest waiting: due since <Time at={oldestDue.dueAt} />
          </>
        )}
      </Figure>
      <Figure name="Waiting webhooks" value={figure(webhookBacklog.count)}>
        {webhookBacklog.oldestAt === null ? (
          'All have been delivered.'
        ) : (
          <>
            {counted(webhookBacklog.count, 'delivery', 'deliveries')}, the oldest of{' '}
            <Time at={webhookBacklog.oldestAt} />
          </>
        )}
      </Figure>
    </SimpleGrid>
  );
}

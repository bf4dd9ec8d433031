import { Paper, Text, Title } from '@mantine/core';
import type { Schemas } from '../api/client.js';
import { Meter } from '../ui/meter.js';
import { counted } from '../ui/words.js';
import classes from './overview.module.css';

/** Room for conversations, by region. */
export const AgentSlots = ({ regions }: { readonly regions: readonly Schemas['AgentSlots'][] }) => (
  <Paper withBorder p="md" component="section" aria-labelledby="slots">
    <Title order={2} size="h4" id="slots" mb="xs">
      Agents
    </Title>
    {regions.length === 0 && <Text c="dimmed">Agents are simulated here: there is always one.</Text>}
    {regions.map(({ region, used, free, reserved }) => (
      <article key={region} className={classes.row} aria-label={region}>
        <Text fw={600}>{region}</Text>
        <Meter name="Calls with an agent" used={used} most={used + free} />
        {reserved > 0 && (
          <Text size="sm" c="dimmed">
            Batch calls leave {counted(reserved, 'agent')} free for single and inbound calls.
          </Text>
        )}
      </article>
    ))}
  </Paper>
);

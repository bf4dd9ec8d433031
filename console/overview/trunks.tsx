import { Group, Paper, Text, Title } from '@mantine/core';
import type { Schemas } from '../api/client.js';
import { Reserved } from '../gateways/state.js';
import { Meter } from '../ui/meter.js';
import { Status } from '../ui/status.js';
import { Time } from '../ui/time.js';
import classes from './overview.module.css';

type Gateway = Schemas['GatewayOverview'];

function Trunk({ gateway }: { readonly gateway: Gateway }) {
  const { name, liveCalls, maxConcurrentCalls, callsPerSecond, callsPerSecondUsed, suspended } = gateway;
  return (
    <article className={classes.row} aria-label={name}>
      <Group gap="xs" mb={4}>
        <Text fw={600}>{name}</Text>
        {suspended !== null && <Status status="suspended" />}
      </Group>
      <Meter name="Lines" used={liveCalls} most={maxConcurrentCalls} />
      <Reserved use={gateway} />
      <Meter name="Calls per second" used={callsPerSecondUsed} most={callsPerSecond} />
      {suspended !== null && (
        <Text size="sm" mt={4}>
          Suspended since <Time at={suspended.since} />
          {suspended.reason === null ? '' : `: ${suspended.reason}`}. One call tries it again at{' '}
          <Time at={suspended.triedAgainAt} />.
        </Text>
      )}
    </article>
  );
}

/** Outbound gateways against their limits. */
export const Trunks = ({ gateways }: { readonly gateways: readonly Gateway[] }) => (
  <Paper withBorder p="md" component="section" aria-labelledby="trunks">
    <Title order={2} size="h4" id="trunks" mb="xs">
      Gateways
    </Title>
    {gateways.length === 0 && <Text c="dimmed">There is no outbound gateway.</Text>}
    {gateways.map((gateway) => (
      <Trunk key={gateway.gatewayId} gateway={gateway} />
    ))}
  </Paper>
);

import { Paper, SimpleGrid, Stack, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import type { Schemas } from '../api/client.js';
import { overviewQuery } from '../api/queries.js';
import {
  answersQuery,
  changeGateway,
  deleteGateway,
  directionOf,
  gatewayPath,
  gatewayQuery,
} from '../api/telephony.js';
import { useMayOperate } from '../session/session.js';
import { Ask } from '../ui/ask.js';
import { FactList } from '../ui/fact-list.js';
import { Fresh } from '../ui/fresh.js';
import { ResourceForm } from '../ui/form/resource-form.js';
import { Page } from '../ui/page.js';
import { Status } from '../ui/status.js';
import { counted, figure } from '../ui/words.js';
import { Check } from './check.js';
import { gatewayGroups } from './fields.js';
import { AnswersByNumber, Use } from './state.js';

const route = getRouteApi('/gateways/$gatewayId');

const Facts = ({ gateway }: { readonly gateway: Schemas['Gateway'] }) => (
  <FactList
    facts={[
      { name: 'Address', said: gateway.address ?? '–' },
      { name: 'Transport', said: gateway.transport ?? 'any' },
      { name: 'User name', said: gateway.auth?.username ?? '–' },
      { name: 'Numbers', said: gateway.numbers.join(', ') || '–' },
      { name: 'Calls at once', said: figure(gateway.maxConcurrentCalls) },
      { name: 'Reserved for single and inbound calls', said: figure(gateway.reservedCalls) },
      { name: 'Calls per second', said: figure(gateway.callsPerSecond) },
      { name: 'Rings for', said: `${gateway.ringTimeoutSeconds} s` },
    ]}
  />
);

/** One trunk: what is in use of it, whether it answers, and its settings. */
export function GatewayPage() {
  const { gatewayId } = route.useParams();
  const navigate = route.useNavigate();
  const mayOperate = useMayOperate();
  const query = useQuery(gatewayQuery(gatewayId));
  const { data: overview } = useQuery(overviewQuery);
  const { data: stats } = useQuery(answersQuery);
  const direction = directionOf(gatewayId);
  const gateway = query.data;
  const use = overview?.gateways.find((each) => each.gatewayId === gatewayId);
  const remove = async () => {
    await deleteGateway(gatewayId);
    const search = direction === 'inbound' ? { type: 'inbound' as const } : {};
    await navigate({ to: '/gateways', search, ignoreBlocker: true });
  };
  return (
    <Page
      title={gateway?.name ?? 'Gateway'}
      marks={
        <>
          <Status status={direction} />
          {(use?.suspended ?? null) !== null && <Status status="suspended" />}
        </>
      }
      requests={[{ path: gatewayPath(gatewayId) }]}
      actions={
        mayOperate &&
        gateway !== undefined && (
          <Ask
            label="Delete"
            title={`Delete ${gateway.name}?`}
            action="Delete this gateway"
            typed="delete"
            isDangerous
            onConfirm={remove}
          >
            {`Its ${counted(gateway.numbers.length, 'number stays', 'numbers stay')} on the account, without a way ${direction === 'outbound' ? 'out' : 'in'}. Its credentials are deleted. A gateway that a batch call or a call uses cannot be deleted.`}
          </Ask>
        )
      }
    >
      <Fresh query={query}>
        {(found) => (
          <Stack gap="lg">
            <SimpleGrid cols={{ base: 1, md: use === undefined ? 1 : 2 }}>
              {use !== undefined && <Use use={use} />}
              {direction === 'outbound' && stats !== undefined && (
                <AnswersByNumber numbers={found.numbers} stats={stats} />
              )}
            </SimpleGrid>
            <Paper withBorder p="md" component="section" aria-labelledby="settings" maw={760}>
              <Title order={2} size="h4" id="settings" mb="md">
                Settings
              </Title>
              <Stack>
                {mayOperate && found.address !== undefined && <Check gatewayId={gatewayId} />}
                {mayOperate ? (
                  <ResourceForm
                    key={gatewayId}
                    groups={gatewayGroups(direction, found.auth !== undefined)}
                    action="Save"
                    resource={found}
                    send={(body) => changeGateway(gatewayId, body as Schemas['UpdateGateway'])}
                  />
                ) : (
                  <Facts gateway={found} />
                )}
              </Stack>
            </Paper>
          </Stack>
        )}
      </Fresh>
    </Page>
  );
}

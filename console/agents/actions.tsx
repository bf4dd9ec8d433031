import { Button, Stack, Text } from '@mantine/core';
import { answered, client, type Schemas } from '../api/client.js';
import { Ask } from '../ui/ask.js';
import { useKey } from '../ui/key.js';
import { Users } from './users.js';

interface DeployProps {
  readonly agentId: string;
  readonly versionId: string;
  /** What is deployed, such as `version 3`. */
  readonly said: string;
  readonly size?: 'xs' | 'compact-xs';
}

/** Puts a version live, once it was said who gets it. */
export function Deploy({ agentId, versionId, said, size = 'xs' }: DeployProps) {
  const { keyFor, renew } = useKey();
  return (
    <Ask
      label="Deploy"
      hint={said}
      size={size}
      title={`Deploy ${said}?`}
      action={`Deploy ${said}`}
      onConfirm={async () => {
        const params = { path: { agentId }, header: { 'idempotency-key': keyFor(versionId) } };
        await answered(client.POST('/v1/agents/{agentId}/deploy', { params, body: { versionId } }));
        renew();
      }}
    >
      <Stack gap="xs">
        <Text size="sm">
          It is checked first: if something is missing, the live version stays. Calls dialed from then on use it; calls
          in progress keep the version they began with.
        </Text>
        <Users
          agentId={agentId}
          toRules="their calls use it"
          toBatches="waiting calls use it, and those that wait for this agent go on"
        />
      </Stack>
    </Ask>
  );
}

interface Props {
  readonly agent: Schemas['AgentWithConfig'];
  readonly onDeleted: () => Promise<void>;
}

/** Tries an agent, takes it out of service, or deletes it. */
export function AgentActions({ agent, onDeleted }: Props) {
  const { agentId, name, status, versionId } = agent;
  const path = { agentId };
  return (
    <>
      {/* The page gets the token of this tab as browsers hand it on to a tab that is opened: no address holds it. */}
      <Button
        component="a"
        size="xs"
        variant="default"
        href={`/playground/${encodeURIComponent(agentId)}`}
        target="_blank"
        rel="opener"
      >
        Try it
      </Button>
      <Deploy agentId={agentId} versionId={versionId} said="the latest version" />
      {status === 'active' && (
        <Ask
          label="Undeploy"
          title={`Take ${name} out of service?`}
          action="Undeploy this agent"
          typed="undeploy"
          isDangerous
          onConfirm={() => answered(client.POST('/v1/agents/{agentId}/undeploy', { params: { path }, body: {} }))}
        >
          <Stack gap="xs">
            <Text size="sm">
              Calls in progress go on to their end. New calls and new batch calls with it are refused until it is
              deployed again.
            </Text>
            <Users
              agentId={agentId}
              toRules="no agent takes their calls"
              toBatches="running ones are paused until it is deployed again; no attempt is used up"
            />
          </Stack>
        </Ask>
      )}
      <Ask
        label="Delete"
        title={`Delete ${name}?`}
        action="Delete this agent"
        typed="delete"
        isDangerous
        onConfirm={async () => {
          await answered(client.DELETE('/v1/agents/{agentId}', { params: { path } }));
          await onDeleted();
        }}
      >
        <Stack gap="xs">
          <Text size="sm">
            All its versions are deleted, with the provider keys in them. Calls that it made stay. An agent that a rule,
            an unfinished batch call or a call uses cannot be deleted.
          </Text>
          <Users
            agentId={agentId}
            toRules="they use it, so it cannot be deleted"
            toBatches="they use it, so it cannot be deleted"
          />
        </Stack>
      </Ask>
    </>
  );
}

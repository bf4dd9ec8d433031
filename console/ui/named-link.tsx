import { useQuery } from '@tanstack/react-query';
import { agentQuery } from '../api/agents.js';
import { batchQuery } from '../api/batch-queries.js';
import { gatewayQuery, ruleQuery } from '../api/telephony.js';
import { TextLink } from './link.js';

/** Names seldom change: a page that only shows one does not ask again and again. */
const askedOnce = { refetchInterval: false, staleTime: 60_000 } as const;

/** A link with the agent's name, or its id as long as the name is not known: it may be deleted. */
export function AgentLink({ agentId }: { readonly agentId: string }) {
  const { data } = useQuery({ ...agentQuery(agentId), ...askedOnce });
  return (
    <TextLink to="/agents/$agentId" params={{ agentId }}>
      {data?.name ?? agentId}
    </TextLink>
  );
}

/** As {@link AgentLink}, of a batch call. */
export function BatchLink({ batchId }: { readonly batchId: string }) {
  const { data } = useQuery({ ...batchQuery(batchId), ...askedOnce });
  return (
    <TextLink to="/batches/$batchId" params={{ batchId }}>
      {data?.batchName ?? batchId}
    </TextLink>
  );
}

/** As {@link AgentLink}, of a gateway. */
export function GatewayLink({ gatewayId }: { readonly gatewayId: string }) {
  const { data } = useQuery({ ...gatewayQuery(gatewayId), ...askedOnce });
  return (
    <TextLink to="/gateways/$gatewayId" params={{ gatewayId }}>
      {data?.name ?? gatewayId}
    </TextLink>
  );
}

/** As {@link AgentLink}, of a routing rule. */
export function RuleLink({ ruleId }: { readonly ruleId: string }) {
  const { data } = useQuery({ ...ruleQuery(ruleId), ...askedOnce });
  return (
    <TextLink to="/rules/$ruleId" params={{ ruleId }}>
      {data?.name ?? ruleId}
    </TextLink>
  );
}

import { useQuery } from '@tanstack/react-query';
import { agentsQuery } from '../api/agents.js';
import type { Schemas } from '../api/client.js';

type Variants = Schemas['BatchCallDetail']['variants'];

/** Says which agent, or which version of it, a variant is. Records and figures name one by its version, else by its agent. */
export function useVariantNames(variants: Variants): (key: string) => string {
  const agents = useQuery({ ...agentsQuery({ perPage: 100 }), enabled: variants !== undefined }).data?.data ?? [];
  return (key) => {
    const variant = variants?.find(({ agentId, versionId }) => (versionId ?? agentId) === key);
    if (variant === undefined) return key;
    const { agentId, versionId } = variant;
    const name = agents.find((agent) => agent.agentId === agentId)?.name ?? agentId;
    const isAlone = variants?.filter((other) => other.agentId === agentId).length === 1;
    return versionId === undefined || isAlone ? name : `${name}, version ${versionId}`;
  };
}

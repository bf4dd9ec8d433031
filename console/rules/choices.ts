import { useQuery } from '@tanstack/react-query';
import { agentsQuery } from '../api/agents.js';
import { numbersQuery } from '../api/telephony.js';
import type { Choices } from './fields.js';

const perPage = 100;

/** What a rule can be made of; undefined until it is known. */
export function useChoices(): Choices | undefined {
  const { data: agents } = useQuery(agentsQuery({ perPage }));
  const { data: numbers } = useQuery(numbersQuery({ page: 1, perPage }));
  if (agents === undefined || numbers === undefined) return undefined;
  const isAll = numbers.pageInfo.total <= perPage;
  return {
    agents: agents.data.map(({ agentId, name, status }) => ({
      value: agentId,
      label: status === 'active' ? name : `${name} (not deployed)`,
    })),
    numbers: isAll
      ? numbers.data.map(({ phoneNumber: { e164, name } }) => ({ value: e164, label: `${e164} ${name}`.trim() }))
      : undefined,
  };
}

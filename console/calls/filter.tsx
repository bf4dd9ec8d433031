import { Button, Group, NativeSelect, Stack, Text, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { agentsQuery } from '../api/agents.js';
import { Choices } from '../ui/choices.js';
import { DurationField } from '../ui/duration-field.js';
import { SearchField } from '../ui/search-field.js';
import { statusOfCall, statusSaid } from '../ui/status.js';
import { callStatuses, type CallsSearch, directions, directionsOf, origins, recordings, statusesOf } from './search.js';

interface Props {
  readonly search: CallsSearch;
  readonly onChange: (part: CallsSearch) => void;
}

const mostAgents = 100;

/** Whose calls are shown: the newest agents, and the one that the address names. */
function AgentField({ search: { agentId }, onChange }: Props) {
  const { data: agents = [], pageInfo } = useQuery(agentsQuery({ perPage: mostAgents })).data ?? {};
  const named = agents.map((agent) => ({ value: agent.agentId, label: agent.name }));
  const isKnown = agentId === undefined || named.some(({ value }) => value === agentId);
  return (
    <NativeSelect
      label={(pageInfo?.total ?? 0) > mostAgents ? `Agent, of the newest ${mostAgents}` : 'Agent'}
      value={agentId ?? ''}
      data={[{ value: '', label: 'Any' }, ...(isKnown ? [] : [{ value: agentId, label: agentId }]), ...named]}
      onChange={(event) => onChange({ agentId: event.currentTarget.value })}
    />
  );
}

/** What the calls are filtered by; all of it must hold. */
export const CallsFilter = ({ search, onChange }: Props) => (
  <Stack gap="sm" component="search" aria-label="Filter">
    <Group align="end" gap="sm">
      <SearchField
        label="Part of a number"
        value={search.search ?? ''}
        onSearch={(next) => onChange({ search: next })}
      />
      <SearchField
        label="Words said in the call"
        placeholder="refund -invoice"
        value={search.transcript ?? ''}
        onSearch={(next) => onChange({ transcript: next })}
        isSecond
      />
      <AgentField search={search} onChange={onChange} />
      <DurationField value={search.duration} onChange={(duration) => onChange({ duration })} />
      <NativeSelect
        label="Recording"
        value={search.hasRecording ?? ''}
        data={[
          { value: '', label: 'With or without' },
          ...recordings.map(({ value, words }) => ({ value, label: words })),
        ]}
        onChange={(event) =>
          onChange({ hasRecording: recordings.find(({ value }) => value === event.currentTarget.value)?.value })
        }
      />
      <TextInput
        type="datetime-local"
        label="Made from"
        value={search.from ?? ''}
        onChange={(event) => onChange({ from: event.currentTarget.value })}
      />
      <TextInput
        type="datetime-local"
        label="Made until"
        value={search.until ?? ''}
        onChange={(event) => onChange({ until: event.currentTarget.value })}
      />
    </Group>
    <Group gap="lg">
      <Choices
        label="Direction"
        all="Both ways"
        options={directions}
        chosen={directionsOf(search.type)}
        onChange={(chosen) => onChange({ type: chosen.join(',') })}
      />
      <Choices
        label="Status"
        all="Any status"
        options={callStatuses.map((status) => ({ value: status, words: statusSaid(statusOfCall(status)) }))}
        chosen={statusesOf(search.status)}
        onChange={(chosen) => onChange({ status: chosen.join(',') })}
      />
    </Group>
    {origins.flatMap(({ name, words }) => {
      const id = search[name];
      if (id === undefined) return [];
      return [
        <Group key={name} gap="xs">
          <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
            Only calls {words} {id}
          </Text>
          <Button size="compact-xs" variant="default" onClick={() => onChange({ [name]: undefined })}>
            Show all calls
          </Button>
        </Group>,
      ];
    })}
  </Stack>
);

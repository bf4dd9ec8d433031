import { Button, Group, NativeSelect, Stack, Text, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { agentsQuery } from '../api/agents.js';
import { percent } from '../ui/words.js';
import type { DraftVariant, SectionProps } from './draft.js';
import classes from './new-batch.module.css';

const mostVariants = 10;
const none: DraftVariant = { agentId: '', weight: '50' };

/** Which agents the recipients are divided among, and by which weights; none: the agent of the rule talks with all. */
export function Variants({ draft, change, problemAt }: SectionProps) {
  const { variants } = draft;
  const agents = useQuery(agentsQuery({ perPage: 100, status: 'active' })).data?.data ?? [];
  const set = (place: number, part: Partial<DraftVariant>) =>
    change({ variants: variants.map((each, index) => (index === place ? { ...each, ...part } : each)) });
  // A version is one of the agent that had it.
  const choose = (place: number, agentId: string) =>
    change({
      variants: variants.map(({ weight, ...agent }, at) => (at === place ? { agentId, weight } : { ...agent, weight })),
    });
  const total = variants.reduce((sum, { weight }) => sum + (Number(weight) || 0), 0);
  const remove = () => change({ variants: variants.length <= 2 ? [] : variants.slice(0, -1) });
  return (
    <Stack gap="sm">
      {variants.length > 0 && (
        <Text size="sm">
          Each recipient gets one of these agents in place of the rule’s, and keeps it when called again.
        </Text>
      )}
      {variants.map(({ agentId, weight }, place) => (
        <Group key={`${place}`} align="start" gap="xs" wrap="nowrap" role="group" aria-label={`Variant ${place + 1}`}>
          <NativeSelect
            label={`Agent ${place + 1}`}
            value={agentId}
            error={problemAt(`variants[${place}].agentId`)}
            data={[
              { value: '', label: 'Choose an agent' },
              ...agents.map((agent) => ({ value: agent.agentId, label: agent.name })),
            ]}
            onChange={(event) => choose(place, event.currentTarget.value)}
          />
          <TextInput
            className={classes.short ?? ''}
            label="Weight"
            description={total > 0 ? percent((Number(weight) || 0) / total) : undefined}
            inputMode="numeric"
            value={weight}
            error={problemAt(`variants[${place}].weight`)}
            onChange={(event) => set(place, { weight: event.currentTarget.value.trim() })}
          />
        </Group>
      ))}
      {problemAt('variants') !== undefined && (
        <Text size="sm" c="red" role="alert">
          Variants {problemAt('variants')}
        </Text>
      )}
      <Group gap="xs">
        {variants.length < mostVariants && (
          <Button
            size="xs"
            variant="default"
            onClick={() => change({ variants: variants.length === 0 ? [none, none] : [...variants, none] })}
          >
            {variants.length === 0 ? 'Compare agents' : 'Add an agent'}
          </Button>
        )}
        {variants.length > 0 && (
          <Button size="xs" variant="default" onClick={remove}>
            {variants.length <= 2 ? 'Do not compare' : 'Remove the last one'}
          </Button>
        )}
      </Group>
    </Stack>
  );
}

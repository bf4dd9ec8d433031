import { Checkbox, Group, NativeSelect, Paper, Stack, Text, TextInput, Title } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { agentsQuery } from '../api/agents.js';
import { outboundRulesQuery } from '../api/new-batch.js';
import { Fresh } from '../ui/fresh.js';
import type { SectionProps } from './draft.js';
import { Variants } from './variants.js';

/** A rule that is not listed: of a campaign that names none, or whose rule is not among the first. */
const unlisted = (ruleId: string): string =>
  ruleId === '' ? 'By the only rule of the number' : `By the rule ${ruleId}`;

interface Props extends SectionProps {
  /** What the field says while no number is chosen in it. */
  readonly unchosen?: string | undefined;
}

/** Which number calls, and by which of its rules: a rule is what names the agent. */
export function Caller({ unchosen = 'Choose a number', ...section }: Props) {
  const { draft, change, problemAt } = section;
  const [search, setSearch] = useState('');
  const [settled] = useDebouncedValue(search, 300);
  const rules = useQuery(outboundRulesQuery(settled));
  const agents = useQuery(agentsQuery({ perPage: 100 }));
  const agentNames = new Map(agents.data?.data.map(({ agentId, name }) => [agentId, name]));
  return (
    <Paper withBorder p="md" component="section" aria-labelledby="caller">
      <Title order={2} size="h4" id="caller" mb="xs">
        Who calls
      </Title>
      <Fresh query={rules}>
        {({ data, pageInfo }) => {
          const numbers = [...new Set([draft.phoneNumber, ...data.flatMap((rule) => rule.phoneNumbers)])];
          const ofNumber = (number: string) => data.filter((rule) => rule.phoneNumbers.includes(number));
          const choose = (phoneNumber: string) =>
            change({ phoneNumber, routingRuleId: ofNumber(phoneNumber)[0]?.id ?? '', otherNumbers: [] });
          const usable = ofNumber(draft.phoneNumber);
          const rule = usable.find(({ id }) => id === draft.routingRuleId);
          const others = (rule?.phoneNumbers ?? []).filter((number) => number !== draft.phoneNumber);
          return (
            <Stack gap="sm">
              {pageInfo.total === 0 && settled === '' && (
                <Text size="sm">
                  No number has an outbound routing rule yet, which says which agent speaks. Follow the steps on the
                  overview.
                </Text>
              )}
              {(pageInfo.total > data.length || search !== '') && (
                <TextInput
                  label="Search numbers and rules"
                  description={`${data.length} of ${pageInfo.total} are listed`}
                  value={search}
                  onChange={(event) => setSearch(event.currentTarget.value)}
                />
              )}
              <NativeSelect
                label="Number to call from"
                value={draft.phoneNumber}
                error={problemAt('phoneNumber') ?? problemAt('phoneNumberId')}
                data={numbers.map((number) => ({ value: number, label: number === '' ? unchosen : number }))}
                onChange={(event) => choose(event.currentTarget.value)}
              />
              {draft.phoneNumber !== '' && (
                <NativeSelect
                  label="Agent"
                  description="From the routing rules of the number"
                  value={draft.routingRuleId}
                  error={problemAt('routingRuleId')}
                  data={[
                    ...(rule === undefined
                      ? [{ value: draft.routingRuleId, label: unlisted(draft.routingRuleId) }]
                      : []),
                    ...usable.map(({ id, name, agentId = '' }) => ({
                      value: id,
                      label: `${agentNames.get(agentId) ?? agentId} (rule “${name}”)`,
                    })),
                  ]}
                  onChange={(event) => change({ routingRuleId: event.currentTarget.value, otherNumbers: [] })}
                />
              )}
              {others.length > 0 && (
                <Checkbox.Group
                  label="Also call from"
                  description="Each call is made from the number nearest to the callee, then from the one least used today"
                  value={[...draft.otherNumbers]}
                  error={problemAt('phoneNumbers')}
                  onChange={(otherNumbers) => change({ otherNumbers })}
                >
                  <Group gap="sm" mt={4}>
                    {others.map((number) => (
                      <Checkbox key={number} value={number} label={number} />
                    ))}
                  </Group>
                </Checkbox.Group>
              )}
              {draft.otherNumbers.length > 0 && draft.delays.length > 0 && (
                <NativeSelect
                  label="A retry calls from"
                  value={draft.numberOnRetry}
                  error={problemAt('numberOnRetry')}
                  data={[
                    { value: 'same', label: 'The same number as before' },
                    { value: 'other', label: 'The number that called the callee least' },
                  ]}
                  onChange={(event) =>
                    change({ numberOnRetry: event.currentTarget.value === 'other' ? 'other' : 'same' })
                  }
                />
              )}
              {draft.phoneNumber !== '' && <Variants {...section} />}
            </Stack>
          );
        }}
      </Fresh>
    </Paper>
  );
}

import { List, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { usersQuery } from '../api/agents.js';
import { Fresh } from '../ui/fresh.js';
import { counted } from '../ui/words.js';

const mostNamed = 3;

const namesOf = (names: readonly string[]): string =>
  names.slice(0, mostNamed).join(', ') +
  (names.length > mostNamed ? ` and ${counted(names.length - mostNamed, 'other')}` : '');

interface Props {
  readonly agentId: string;
  /** What happens to the batch calls of its rules that go on. */
  readonly toBatches: string;
  /** What happens to its rules. */
  readonly toRules: string;
}

/** Which rules and batch calls go by an agent, with what happens to them. */
export function Users({ agentId, toBatches, toRules }: Props) {
  const query = useQuery(usersQuery(agentId));
  return (
    <Fresh query={query}>
      {({ rules, batches }) =>
        rules.length === 0 ? (
          <Text size="sm">No routing rule uses this agent, so it takes no calls.</Text>
        ) : (
          <List size="sm">
            <List.Item>
              {counted(rules.length, 'rule')} ({namesOf(rules.map(({ name }) => name))}): {toRules}
            </List.Item>
            <List.Item>
              {batches.length === 0
                ? 'No batch call of these rules is running or waiting.'
                : `${counted(batches.length, 'batch call')} (${namesOf(batches.map(({ batchName }) => batchName))}): ${toBatches}`}
            </List.Item>
          </List>
        )
      }
    </Fresh>
  );
}

import { Group, Paper, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { Schemas } from '../api/client.js';
import { languagesQuery, liveAgentQuery } from '../api/new-batch.js';
import { guardrailsQuery } from '../api/queries.js';
import type { FirstCall } from './first-calls.js';
import { greetingOf } from './greeting.js';
import classes from './new-batch.module.css';

const mostShown = 5;

interface Props {
  readonly calls: readonly FirstCall[];
  readonly rule: Schemas['RoutingRule'] | undefined;
  readonly report: Schemas['BatchCallReport'];
}

/** The first rows as their callees would be greeted. */
export function Greetings({ calls, rule, report }: Props) {
  const agent = useQuery(liveAgentQuery(rule?.agentId));
  const languages = useQuery({ ...languagesQuery, enabled: calls.some(({ metadata }) => 'language' in metadata) });
  const disclosure = useQuery(guardrailsQuery).data?.disclosure;
  if (rule === undefined || agent.data === undefined || agent.data === null) return null;
  const { config } = agent.data;
  const rejected = new Map(report.rejected.map((each) => [each.row, each.message]));
  const corrected = new Map(report.corrected.map((each) => [each.row, each.phoneNumber]));
  const shown = calls.filter(({ row }) => !rejected.has(row)).slice(0, mostShown);
  return (
    <Paper withBorder p="md" component="section" aria-labelledby="greetings">
      <Title order={2} size="h4" id="greetings" mb="xs">
        What the first callees hear
      </Title>
      {disclosure !== undefined && (
        <Text size="sm">
          First, by the guardrails of the account: <q>{disclosure}</q>
        </Text>
      )}
      {shown.map(({ row, value, metadata }) => {
        const { text, missing, language } = greetingOf(
          config,
          metadata,
          rule.agentMetadata,
          languages.data?.data ?? [],
        );
        const known = Object.entries(metadata).filter(([, cell]) => cell !== '');
        return (
          <article key={row} className={classes.call} aria-label={`Row ${row}`}>
            <Group justify="space-between" gap="xs">
              <Text size="sm" fw={600} className={classes.number ?? ''}>
                {corrected.get(row) ?? value.trim()}
              </Text>
              <Text size="sm" c="dimmed">
                Row {row}, {language}
              </Text>
            </Group>
            {known.length > 0 && (
              <Text size="sm" c="dimmed" className={classes.wrap ?? ''} lineClamp={2}>
                {known.map(([name, cell]) => `${name}: ${cell}`).join(' · ')}
              </Text>
            )}
            <p className={classes.greeting}>{text === '' ? 'The agent waits for the callee to speak.' : text}</p>
            {missing.length > 0 && (
              <Text size="sm" c="var(--mantine-color-error)">
                Nothing fills {missing.map((name) => `{{${name}}}`).join(', ')}.
              </Text>
            )}
          </article>
        );
      })}
    </Paper>
  );
}

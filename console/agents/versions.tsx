import { Paper, Stack, Table, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { versionsQuery } from '../api/agents.js';
import { useMayOperate } from '../session/session.js';
import { NumberCell } from '../ui/data-table.js';
import { List } from '../ui/list-page.js';
import { Status } from '../ui/status.js';
import { Time } from '../ui/time.js';
import { Deploy } from './actions.js';
import { Compare } from './compare.js';
import type { AgentSearch } from './search.js';

interface Props {
  readonly agentId: string;
  readonly search: AgentSearch;
  readonly paging: { readonly page: number; readonly perPage: number };
  readonly onChange: (part: AgentSearch) => void;
}

/** The versions of an agent, and what differs between two of them. */
export function Versions({ agentId, search, paging, onChange }: Props) {
  const query = useQuery(versionsQuery(agentId, paging));
  const mayOperate = useMayOperate();
  const versions = query.data?.data ?? [];
  const [latest, beforeLatest] = versions;
  const live = versions.find(({ isDeployed, versionId }) => isDeployed && versionId !== latest?.versionId);
  const before = search.before ?? (live ?? beforeLatest)?.versionId;
  const after = search.after ?? latest?.versionId;
  return (
    <Stack gap="lg">
      <Paper withBorder p="md" component="section" aria-labelledby="versions">
        <Title order={2} size="h4" id="versions" mb="xs">
          Versions
        </Title>
        <List
          query={query}
          label="Versions of this agent"
          head={[
            { words: 'Number', isNumber: true },
            ...['What has changed', 'Saved', 'State'].map((words) => ({ words })),
            ...(mayOperate ? [{ words: 'Deploy' }] : []),
          ]}
          empty="There are none."
          onTurn={(page, perPage) => onChange({ page, perPage })}
        >
          {({ versionId, number, versionName, createdAt, isDeployed }) => (
            <Table.Tr key={versionId} data-version={versionId}>
              <NumberCell>{number}</NumberCell>
              <Table.Td>{versionName}</Table.Td>
              <Table.Td>
                <Time at={createdAt} />
              </Table.Td>
              <Table.Td>{isDeployed && <Status status="live" />}</Table.Td>
              {mayOperate && (
                <Table.Td>
                  <Deploy agentId={agentId} versionId={versionId} said={`version ${number}`} size="compact-xs" />
                </Table.Td>
              )}
            </Table.Tr>
          )}
        </List>
      </Paper>
      {before !== undefined && after !== undefined && (
        <Compare agentId={agentId} versions={versions} before={before} after={after} onChange={onChange} />
      )}
    </Stack>
  );
}

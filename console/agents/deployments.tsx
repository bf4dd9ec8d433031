import { Paper, Table, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { deploymentsQuery } from '../api/agents.js';
import { List } from '../ui/list-page.js';
import { Status } from '../ui/status.js';
import { Time } from '../ui/time.js';

interface Props {
  readonly agentId: string;
  readonly paging: { readonly page: number; readonly perPage: number };
  readonly onTurn: (page: number, perPage: number) => void;
}

/** What was put live when, and why something was not. */
export function Deployments({ agentId, paging, onTurn }: Props) {
  const query = useQuery(deploymentsQuery(agentId, paging));
  return (
    <Paper withBorder p="md" component="section" aria-labelledby="deployments">
      <Title order={2} size="h4" id="deployments" mb="xs">
        Deployments
      </Title>
      <List
        query={query}
        label="Deployments of this agent"
        head={['Accepted', 'State', 'Reason', 'Region', 'Version'].map((words) => ({ words }))}
        empty="It has never been deployed."
        onTurn={onTurn}
      >
        {({ deploymentId, createdAt, status, reason, region, versionId }) => (
          <Table.Tr key={deploymentId}>
            <Table.Td>
              <Time at={createdAt} />
            </Table.Td>
            <Table.Td>
              <Status status={status} />
            </Table.Td>
            <Table.Td style={{ minWidth: '14rem' }}>{reason ?? '–'}</Table.Td>
            <Table.Td>{region}</Table.Td>
            <Table.Td>{versionId}</Table.Td>
          </Table.Tr>
        )}
      </List>
    </Paper>
  );
}

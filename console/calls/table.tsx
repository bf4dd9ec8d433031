import { Group, Table } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { agentsQuery } from '../api/agents.js';
import type { Schemas } from '../api/client.js';
import { DataTable, NumberCell, PhoneCell } from '../ui/data-table.js';
import { endSaid } from '../ui/ended.js';
import { useLines } from '../ui/lines.js';
import { TextLink } from '../ui/link.js';
import { CallStatus, Simulated } from '../ui/status.js';
import { Time } from '../ui/time.js';
import { duration } from '../ui/words.js';

type ListedCall = Schemas['ListedCall'];

const head = [
  { words: 'Number' },
  { words: 'Status' },
  { words: 'Why it ended' },
  { words: 'Talk', isNumber: true },
  { words: 'Made' },
  { words: 'Agent' },
  { words: 'Batch call' },
  { words: 'Our number' },
];

/** Calls as lines. The keys j and k go from one to the next, Enter opens it. */
export function CallTable({ calls }: { readonly calls: readonly ListedCall[] }) {
  const line = useLines<HTMLAnchorElement>(calls.map(({ id }) => id));
  const agents = useQuery(agentsQuery({ perPage: 100 })).data?.data ?? [];
  return (
    <DataTable label="Calls" head={head}>
      {calls.map((call, index) => {
        const { id, type, status, from, to, timelog, agentId, batchId, batchName, simulated } = call;
        const isInbound = type === 'inbound';
        return (
          <Table.Tr key={id} data-call={id}>
            <PhoneCell>
              <span title={isInbound ? 'inbound' : 'outbound'} role="img" aria-label={isInbound ? 'from' : 'to'}>
                {isInbound ? '↙' : '↗'}
              </span>{' '}
              <TextLink to="/calls/$callId" params={{ callId: id }} underline="hover" fw={600} {...line(index)}>
                {isInbound ? from : to}
              </TextLink>
            </PhoneCell>
            <Table.Td>
              <Group gap={4}>
                <CallStatus status={status} />
                {simulated && <Simulated />}
              </Group>
            </Table.Td>
            <Table.Td miw="9rem">{endSaid(call)}</Table.Td>
            <NumberCell>{call.duration === undefined ? '–' : duration(call.duration)}</NumberCell>
            <Table.Td style={{ whiteSpace: 'nowrap' }}>
              <Time at={timelog[0]?.timestamp} />
            </Table.Td>
            <Table.Td miw="8rem">{agents.find((agent) => agent.agentId === agentId)?.name ?? agentId ?? '–'}</Table.Td>
            <Table.Td style={{ overflowWrap: 'anywhere', minWidth: '8rem' }}>
              {batchId === undefined ? (
                '–'
              ) : (
                <TextLink to="/batches/$batchId" params={{ batchId }} title={batchId}>
                  {batchName ?? batchId}
                </TextLink>
              )}
            </Table.Td>
            <Table.Td>{isInbound ? to : from}</Table.Td>
          </Table.Tr>
        );
      })}
    </DataTable>
  );
}

import { SimpleGrid, Stack, Table, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { Schemas } from '../api/client.js';
import { callQuery } from '../api/call.js';
import { DataTable, NumberCell } from '../ui/data-table.js';
import { FactList } from '../ui/fact-list.js';
import { Fresh } from '../ui/fresh.js';
import { TextLink } from '../ui/link.js';
import { AgentLink, BatchLink, GatewayLink, RuleLink } from '../ui/named-link.js';
import { Page } from '../ui/page.js';
import { Part } from '../ui/part.js';
import { sipSaid } from '../ui/sip.js';
import { CallStatus, Simulated } from '../ui/status.js';
import { Time } from '../ui/time.js';
import { costSaid, duration, figure, spoken } from '../ui/words.js';
import { Conversation } from './conversation.js';
import { Live } from './live.js';
import { Transfers } from './transfer.js';

type Call = Schemas['CallDetail'];

const route = getRouteApi('/calls/$callId');

const answeredBySaid = { human: 'a person', machine: 'a machine', unknown: 'unknown' } as const;

/** The number of the person at the other end, which leads to everything about it. */
const Other = ({ number }: { readonly number: string }) => (
  <TextLink to="/people" search={{ number }}>
    {number}
  </TextLink>
);

const OtherCall = ({ callId }: { readonly callId: string }) => (
  <TextLink to="/calls/$callId" params={{ callId }}>
    {callId}
  </TextLink>
);

function factsOf(call: Call): readonly { name: string; said: ReactNode }[] {
  const { reason, sipStatusCode, answeredBy, timings, batchId, summary, summaryError } = call;
  const { callbackOf, calledBackBy } = call;
  const optional: readonly (readonly [string, unknown, ReactNode])[] = [
    ['Why it ended', reason, spoken(reason ?? '')],
    ['Pre-dial answer', call.preDialReason, call.preDialReason],
    ['SIP answer', sipStatusCode, sipSaid(sipStatusCode ?? '')],
    ['Answered by', answeredBy, answeredBySaid[answeredBy ?? 'unknown']],
    ['Talk time', call.duration, duration(call.duration ?? 0)],
    ['Cost', call.cost, call.cost && costSaid(call.cost)],
    ['First words after', timings?.answeredToSpeechMs, `${figure(timings?.answeredToSpeechMs ?? 0)} ms`],
    ['Summary', summary, summary],
    ['No summary', summaryError, spoken(summaryError ?? '')],
    ['Calls back', callbackOf, <OtherCall key="earlier" callId={callbackOf ?? ''} />],
    ['Called back', calledBackBy, <OtherCall key="later" callId={calledBackBy ?? ''} />],
    ['Agent', call.agentId, <AgentLink key="agent" agentId={call.agentId ?? ''} />],
    ['Version', call.versionId, call.versionId],
    ['Batch call', batchId, <BatchLink key="batch" batchId={batchId ?? ''} />],
  ];
  return [
    { name: 'From', said: call.type === 'inbound' ? <Other number={call.from} /> : call.from },
    { name: 'To', said: call.type === 'inbound' ? call.to : <Other number={call.to} /> },
    ...optional.flatMap(([name, value, said]) => (value === undefined ? [] : [{ name, said }])),
    { name: 'Gateway', said: <GatewayLink gatewayId={call.gatewayId} /> },
    { name: 'Routing rule', said: <RuleLink ruleId={call.ruleId} /> },
    { name: 'Id', said: call.id },
  ];
}

const Attempts = ({ attempts }: { readonly attempts: Call['attempts'] }) =>
  attempts.length === 0 ? (
    <Text c="dimmed">It has not been dialed yet.</Text>
  ) : (
    <DataTable
      label="Attempts of this call"
      head={[
        { words: 'Attempt' },
        { words: 'Status' },
        { words: 'SIP answer' },
        { words: 'Dialed' },
        { words: 'Ended' },
      ]}
    >
      {attempts.map(({ number, status, sipStatusCode, startedAt, endedAt }) => (
        <Table.Tr key={number}>
          <NumberCell>{figure(number)}</NumberCell>
          <Table.Td>
            <CallStatus status={status} />
          </Table.Td>
          <Table.Td>{sipStatusCode === undefined ? '–' : sipSaid(sipStatusCode)}</Table.Td>
          <Table.Td>
            <Time at={startedAt} />
          </Table.Td>
          <Table.Td>
            <Time at={endedAt} />
          </Table.Td>
        </Table.Tr>
      ))}
    </DataTable>
  );

/** One call: what was said, what the carrier answered, and why it ended. */
export function CallPage() {
  const { callId } = route.useParams();
  const query = useQuery(callQuery(callId));
  const call = query.data?.data;
  return (
    <Page
      title={call === undefined ? 'Call' : `Call ${call.type === 'inbound' ? `from ${call.from}` : `to ${call.to}`}`}
      requests={[{ path: `/v2/sip/call/${encodeURIComponent(callId)}` }]}
      marks={
        call !== undefined && (
          <>
            <CallStatus status={call.status} />
            {call.simulated && <Simulated />}
          </>
        )
      }
    >
      <Fresh query={query}>
        {({ data }) => (
          <SimpleGrid cols={{ base: 1, md: 2 }} spacing="lg">
            <Stack gap="lg">
              <Live call={data} />
              <Transfers call={data} />
              <Conversation call={data} />
              <Part id="attempts" title="Attempts">
                <Attempts attempts={data.attempts} />
              </Part>
            </Stack>
            <Stack gap="lg">
              <Part id="facts" title="Details">
                <FactList facts={factsOf(data)} />
              </Part>
              <Part id="timeline" title="Status history">
                <FactList
                  facts={data.timelog.map(({ status, timestamp }, index) => ({
                    name: `${index + 1}. ${spoken(status)}`,
                    said: <Time at={timestamp} />,
                  }))}
                />
              </Part>
              {Object.keys(data.metadata).length > 0 && (
                <Part id="metadata" title="Row data">
                  <FactList
                    facts={Object.entries(data.metadata).map(([name, value]) => ({
                      name,
                      said: typeof value === 'string' ? value : JSON.stringify(value),
                    }))}
                  />
                </Part>
              )}
            </Stack>
          </SimpleGrid>
        )}
      </Fresh>
    </Page>
  );
}

import { Paper, Title } from '@mantine/core';
import type { Schemas } from '../api/client.js';
import { FactList } from '../ui/fact-list.js';
import { TextLink } from '../ui/link.js';
import { RuleLink } from '../ui/named-link.js';
import { Time } from '../ui/time.js';
import { costSaid, figure } from '../ui/words.js';
import { retriesSaid, stoppedSaid, stopSaid, windowSaid } from './said.js';
import { useVariantNames } from './variant-names.js';

/** When it was, what it is made of, and by which rules it calls. */
export function Facts({ batch }: { readonly batch: Schemas['BatchCallDetail'] }) {
  const { timezone, description, maxConcurrentCalls, retriedFrom, file, variants } = batch;
  const variantSaid = useVariantNames(variants);
  const shareSaid = ({ agentId, versionId, weight }: NonNullable<typeof variants>[number]) =>
    `${variantSaid(versionId ?? agentId)} (weight ${figure(weight)})`;
  const instants = [
    { name: 'Created', at: batch.createdAt },
    ...(batch.startedAt === undefined && batch.timing === 'scheduled' ? [{ name: 'Starts', at: batch.startsAt }] : []),
    { name: 'Started', at: batch.startedAt },
    { name: 'Ended', at: batch.completedAt },
  ];
  const facts = [
    ...(description === undefined ? [] : [{ name: 'Description', said: description }]),
    { name: 'Calls from', said: (batch.phoneNumbers ?? [batch.phoneNumber]).join(', ') },
    { name: 'Calling window', said: windowSaid(batch.callingWindow) },
    { name: 'Retries', said: retriesSaid(batch.retry) },
    {
      name: 'Concurrent calls',
      said: maxConcurrentCalls === undefined ? 'As many as the gateway takes' : `At most ${figure(maxConcurrentCalls)}`,
    },
    ...(variants === undefined ? [] : [{ name: 'Compared agents', said: variants.map(shareSaid).join(', ') }]),
    ...(batch.preDial === undefined ? [] : [{ name: 'Pre-dial check', said: batch.preDial.url }]),
    { name: 'Stops', said: stopSaid(batch.stopAfter) },
    ...(batch.until === undefined ? [] : [{ name: 'No calls after', said: <Time at={batch.until} zone={timezone} /> }]),
    ...(batch.maxCost === undefined ? [] : [{ name: 'Cost limit', said: figure(batch.maxCost) }]),
    ...(batch.stoppedBy === undefined ? [] : [{ name: 'Stopped', said: stoppedSaid[batch.stoppedBy] }]),
    {
      name: 'Cost so far',
      said:
        batch.cost === undefined ? (
          <>
            unknown: <TextLink to="/prices">no prices</TextLink> are set
          </>
        ) : (
          costSaid(batch.cost)
        ),
    },
    { name: 'Priority', said: String(batch.priority) },
    { name: 'Time zone', said: timezone },
    {
      name: 'File',
      said:
        file.extension === 'json'
          ? 'None: the recipients were sent as JSON'
          : `${file.filename}: ${figure(batch.recordsRejected)} rows left out, ${figure(batch.recordsCorrected)} corrected`,
    },
    { name: 'Routing rule', said: <RuleLink ruleId={batch.routingRuleId} /> },
    {
      name: 'Calls',
      said: (
        <TextLink to="/calls" search={{ batchId: batch.batchId }}>
          show in the list of calls
        </TextLink>
      ),
    },
    { name: 'Id', said: batch.batchId },
  ];
  return (
    <Paper withBorder p="md" component="section" aria-labelledby="facts">
      <Title order={2} size="h4" id="facts" mb="xs">
        Details
      </Title>
      <FactList
        facts={[
          ...instants.map(({ name, at }) => ({ name, said: <Time at={at} zone={timezone} /> })),
          ...(retriedFrom === undefined ? [] : [{ name: 'Retry of', said: <Original batchId={retriedFrom} /> }]),
          ...facts,
        ]}
      />
    </Paper>
  );
}

const Original = ({ batchId }: { readonly batchId: string }) => (
  <TextLink to="/batches/$batchId" params={{ batchId }}>
    an earlier batch call
  </TextLink>
);

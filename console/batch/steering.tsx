import { List, Stack, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { isOver } from '../api/batch-queries.js';
import { answered, client, type Schemas } from '../api/client.js';
import { Refused } from '../api/refused.js';
import { useMayOperate } from '../session/session.js';
import { Ask } from '../ui/ask.js';
import { counted } from '../ui/words.js';
import { AddRecipients } from './add-recipients.js';
import { Cancel } from './cancel.js';
import { Export } from './export.js';
import { Retry } from './retry.js';

type Batch = Schemas['BatchCallDetail'];
interface Props {
  readonly batch: Batch;
}

const pathOf = ({ batchId }: Batch) => ({ params: { path: { batchId } } });
const liveOf = ({ counts }: Batch): number => counts.dialing + counts['in-progress'];

const Pause = ({ batch }: Props) => (
  <Ask
    label="Pause"
    title="Pause this batch call?"
    onConfirm={() => answered(client.POST('/v1/batch-calls/{batchId}/pause', { ...pathOf(batch), body: {} }))}
  >
    <List size="sm">
      <List.Item>None of its calls is dialed until it is resumed.</List.Item>
      <List.Item>
        {counted(liveOf(batch), 'live call')} {liveOf(batch) === 1 ? 'goes' : 'go'} on to the end.
      </List.Item>
      <List.Item>Retries that fall due wait; no attempt is used up.</List.Item>
    </List>
  </Ask>
);

function Resume({ batch }: Props) {
  const resume = async () => {
    const now = await answered(client.POST('/v1/batch-calls/{batchId}/resume', { ...pathOf(batch), body: {} }));
    if (now.paused) throw new Refused(409, `It stays paused. ${now.pausedDetails ?? ''}`);
  };
  return (
    <Ask label="Resume" title="Resume this batch call?" onConfirm={resume}>
      {`Number, gateway, rule and agent are checked again. Then ${counted(batch.waiting.total, 'recipient is', 'recipients are')} called, as far as windows and limits allow.`}
    </Ask>
  );
}

const Close = ({ batch }: Props) => (
  <Ask
    label="Close"
    title="Close this batch call?"
    action="Close this batch call"
    onConfirm={() => answered(client.POST('/v1/batch-calls/{batchId}/close', { ...pathOf(batch), body: {} }))}
  >
    {`It is open: it waits for more recipients. Closed, it ends once those that it has have been called: ${counted(batch.waiting.total, 'recipient waits', 'recipients wait')} and ${counted(liveOf(batch), 'call is', 'calls are')} live.`}
  </Ask>
);

function Remove({ batch }: Props) {
  const navigate = useNavigate();
  const queries = useQueryClient();
  const remove = async () => {
    await answered(client.DELETE('/v1/batch-calls/{batchId}', pathOf(batch)));
    await navigate({ to: '/batches', ignoreBlocker: true });
    queries.removeQueries({ queryKey: ['batch', batch.batchId] });
  };
  return (
    <Ask label="Delete" title="Delete this batch call?" typed="delete" isDangerous onConfirm={remove}>
      <Stack gap="xs">
        <Text>
          Its file, its {counted(batch.recordsUploaded, 'record')}, their transcripts and recordings, and its webhook
          deliveries are removed for good. Webhooks that have not been accepted yet are dropped.
        </Text>
        <Text>The audit log keeps how many calls it had and how they ended.</Text>
      </Stack>
    </Ask>
  );
}

/** What can be done with a batch call as it is now. What a token may not do is not offered. */
export function Steering({ batch }: Props) {
  const mayOperate = useMayOperate();
  const { status, paused, open } = batch;
  const over = isOver(status);
  const grows = ['parsing', 'scheduled', 'running'].includes(status);
  return (
    <>
      {status !== 'parsing' && status !== 'parse_failed' && <Export batch={batch} />}
      {mayOperate && (
        <>
          {grows && (
            <AddRecipients
              hint="They are called as soon as windows and limits allow."
              post={(recipients) =>
                answered(
                  client.POST('/v1/batch-calls/{batchId}/recipients', {
                    params: { path: { batchId: batch.batchId } },
                    body: { recipients },
                  }),
                )
              }
            />
          )}
          {grows && (paused ? <Resume batch={batch} /> : <Pause batch={batch} />)}
          {grows && open && <Close batch={batch} />}
          {!over && <Cancel batch={batch} />}
          {(status === 'completed' || status === 'cancelled') && <Retry batch={batch} />}
          {over && <Remove batch={batch} />}
        </>
      )}
    </>
  );
}

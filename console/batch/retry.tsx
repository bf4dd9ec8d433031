import { Checkbox, Stack, Text, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { figuresQuery } from '../api/batch-queries.js';
import { answered, client, type Schemas } from '../api/client.js';
import { useKey } from '../ui/key.js';
import { Ask } from '../ui/ask.js';
import { counted, figure, spoken } from '../ui/words.js';

const unsuccessful = ['not-answered', 'rejected', 'missed', 'failed', 'abandoned'] as const;
const retriable = [...unsuccessful, 'voicemail', 'cancelled'] as const;
type Retriable = (typeof retriable)[number];

/** Ends after which no number is called again, by the status that they are counted under. */
const forGood: Readonly<Partial<Record<Retriable, readonly string[]>>> = {
  rejected: ['unwanted', 'rejected_by_network'],
  failed: ['invalid_number'],
};

/** How many calls ended so. Those that a machine answered are counted beside how they ended. */
const countOf = (counts: Schemas['CallCounts'], status: Retriable): number =>
  counts[status === 'voicemail' ? 'machine' : status];

/** How many numbers are called again, at most: those of the do-not-call list are found when the new batch call is made. */
function previewOf(
  counts: Schemas['CallCounts'],
  chosen: readonly Retriable[],
  reasons: readonly Schemas['FigureRow'][] | undefined,
): { readonly most: number; readonly never: number } {
  const all = chosen.reduce((sum, status) => sum + countOf(counts, status), 0);
  const final = chosen.flatMap((status) => forGood[status] ?? []);
  const never = (reasons ?? []).reduce((sum, { key, calls }) => sum + (final.includes(key ?? '') ? calls : 0), 0);
  return { most: Math.max(0, all - never), never };
}

/** Makes a new batch call of the numbers that were not reached, after saying how many these are. */
export function Retry({ batch }: { readonly batch: Schemas['BatchCallDetail'] }) {
  const navigate = useNavigate();
  const { batchId, counts } = batch;
  const [chosen, setChosen] = useState<readonly Retriable[]>(unsuccessful);
  const [name, setName] = useState('');
  const { keyFor } = useKey();
  const { data } = useQuery({ ...figuresQuery(batchId, 'reason'), refetchInterval: false });
  const { most, never } = previewOf(counts, chosen, data?.rows);
  const present = retriable.filter((status) => countOf(counts, status) > 0);
  if (present.length === 0) return null;
  const retry = async () => {
    const statuses = chosen.filter((status) => countOf(counts, status) > 0);
    const body = { statuses, ...(name.trim() === '' ? {} : { name: name.trim() }) };
    const made = await answered(
      client.POST('/v1/batch-calls/{batchId}/retry', {
        params: { path: { batchId }, header: { 'idempotency-key': keyFor(JSON.stringify(body)) } },
        body,
      }),
    );
    await navigate({ to: '/batches/$batchId', params: { batchId: made.batchId } });
  };
  return (
    <Ask
      label="Call again"
      title="Call the unsuccessful numbers again?"
      action={`Call ${counted(most, 'number')} again`}
      onConfirm={retry}
    >
      <Stack gap="sm">
        <Checkbox.Group
          label="Numbers whose call was"
          value={[...chosen]}
          onChange={(next) => setChosen(retriable.filter((status) => next.includes(status)))}
        >
          <Stack gap={6} mt={4}>
            {present.map((status) => (
              <Checkbox key={status} value={status} label={`${spoken(status)}: ${figure(countOf(counts, status))}`} />
            ))}
          </Stack>
        </Checkbox.Group>
        <TextInput
          label="Name of the new batch call"
          placeholder={`${batch.batchName} (retry)`}
          maxLength={256}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <Text size="sm" role="status">
          A new batch call starts now, with the settings of this one: {counted(most, 'number is', 'numbers are')} called
          at most{never > 0 ? `, without ${figure(never)} that do not exist or want no calls` : ''}. Numbers that are
          now on the do-not-call list are left out.
        </Text>
      </Stack>
    </Ask>
  );
}

import { List, Radio, Stack } from '@mantine/core';
import { useState } from 'react';
import { answered, client, type Schemas } from '../api/client.js';
import { Ask } from '../ui/ask.js';
import { counted } from '../ui/words.js';

/** Cancels a batch call in either way; one that is being cancelled can have its live calls hung up. */
export function Cancel({ batch }: { readonly batch: Schemas['BatchCallDetail'] }) {
  const isUnderWay = batch.status === 'cancelling';
  const [chosen, setMode] = useState<'graceful' | 'immediate'>('graceful');
  const mode = isUnderWay ? 'immediate' : chosen;
  const { counts, waiting, batchId } = batch;
  const live = counts.dialing + counts['in-progress'];
  const label = isUnderWay ? 'Hang up live calls' : 'Cancel';
  return (
    <Ask
      label={label}
      title={isUnderWay ? 'Hang up live calls?' : 'Cancel this batch call?'}
      action={isUnderWay ? label : 'Cancel this batch call'}
      typed={isUnderWay ? 'hang up' : 'cancel'}
      isDangerous
      onOpen={() => setMode('graceful')}
      onConfirm={() =>
        answered(client.POST('/v1/batch-calls/{batchId}/cancel', { params: { path: { batchId } }, body: { mode } }))
      }
    >
      <Stack gap="sm">
        {!isUnderWay && (
          <Radio.Group label="Live calls" value={mode} onChange={(next) => setMode(next)}>
            <Stack gap={6} mt={4}>
              <Radio value="graceful" label="go on to their end" />
              <Radio value="immediate" label="are hung up now" />
            </Stack>
          </Radio.Group>
        )}
        <List size="sm">
          {!isUnderWay && (
            <List.Item>
              {counted(waiting.total, 'waiting recipient is', 'waiting recipients are')} not called. This cannot be
              undone.
            </List.Item>
          )}
          <List.Item>
            {counted(live, 'live call')}{' '}
            {mode === 'immediate' ? (live === 1 ? 'is hung up' : 'are hung up') : live === 1 ? 'goes on' : 'go on'}.
          </List.Item>
          <List.Item>Calls already made stay as they are, with their transcripts and recordings.</List.Item>
        </List>
      </Stack>
    </Ask>
  );
}

import { NativeSelect, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { answered, client, type Schemas } from '../api/client.js';
import { Ask } from '../ui/ask.js';
import { MomentField } from '../ui/moment.js';
import { instantOf, momentField } from '../ui/moment-values.js';
import type { RecordProps } from './props.js';

const usualPriority = 5;
const priorities = [1, 2, 3, 4, 5, 6, 7, 8, 9].map((priority) => ({
  value: String(priority),
  label: `${priority}${{ 1: ', called first', 5: ', usual', 9: ', called last' }[priority] ?? ''}`,
}));

/** Changes when, and how early among the others, a recipient is called who never was. */
export function Change({ batch, record }: RecordProps) {
  const { phoneNumber, recordId, notBefore } = record;
  const now = {
    notBefore: notBefore === undefined ? '' : momentField(new Date(notBefore)),
    priority: String(record.priority ?? usualPriority),
  };
  // As it was when the dialog opened: what somebody else changes meanwhile must not look like a change made here.
  const [before, setBefore] = useState(now);
  const [fields, setFields] = useState(now);
  const save = async () => {
    // What was not changed is not sent: a field knows minutes, and the record may know seconds.
    const body: Schemas['RecipientChange'] = {
      ...(fields.notBefore === before.notBefore
        ? {}
        : { notBefore: fields.notBefore === '' ? null : instantOf(fields.notBefore) }),
      ...(fields.priority === before.priority ? {} : { priority: Number(fields.priority) }),
    };
    const params = { path: { batchId: batch.batchId, recordId } };
    await answered(client.PATCH('/v1/batch-calls/{batchId}/records/{recordId}', { params, body }));
  };
  return (
    <Ask
      label="Change"
      hint={phoneNumber}
      size="compact-xs"
      title={`When to call ${phoneNumber}`}
      action="Save"
      onOpen={() => {
        setBefore(now);
        setFields(now);
      }}
      onConfirm={save}
    >
      <Stack gap="sm">
        <MomentField
          label="Not before"
          value={fields.notBefore}
          zone={batch.timezone}
          onChange={(next) => setFields({ ...fields, notBefore: next })}
        />
        <NativeSelect
          label="Priority in this batch call"
          value={fields.priority}
          data={priorities}
          onChange={(event) => setFields({ ...fields, priority: event.currentTarget.value })}
        />
        <Text size="sm">If empty, as soon as windows and limits allow.</Text>
      </Stack>
    </Ask>
  );
}

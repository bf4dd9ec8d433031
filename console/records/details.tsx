import { Stack, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Schemas } from '../api/client.js';
import { Dialog } from '../ui/dialog.js';
import { FactList } from '../ui/fact-list.js';
import { TextLink } from '../ui/link.js';
import { sipSaid } from '../ui/sip.js';
import { Status } from '../ui/status.js';
import { Time } from '../ui/time.js';
import { duration, figure, spoken } from '../ui/words.js';
import { valueSaid } from './value.js';

interface Props {
  readonly batch: Schemas['BatchCallDetail'];
  /** Undefined: none is open. */
  readonly record: Schemas['BatchRecord'] | undefined;
  readonly onClose: () => void;
}

function factsOf(record: Schemas['BatchRecord'], zone: string): readonly { name: string; said: ReactNode }[] {
  const { reason, sipStatusCode, answeredBy, callDuration, priority, notBefore, nextAttemptAt, id } = record;
  const optional: readonly (readonly [string, unknown, ReactNode])[] = [
    ['Reason', reason, spoken(reason ?? '')],
    ['SIP answer', sipStatusCode, sipSaid(sipStatusCode ?? '')],
    [
      'Answered by',
      answeredBy,
      { human: 'a person', machine: 'a machine', unknown: 'unknown' }[answeredBy ?? 'unknown'],
    ],
    ['Talk', callDuration, duration(callDuration ?? 0)],
    ['Next attempt', nextAttemptAt, <Time key="next" at={nextAttemptAt} zone={zone} />],
    ['Not before', notBefore, <Time key="not-before" at={notBefore} zone={zone} />],
    ['Priority', priority, String(priority)],
    ['Your id', id, id],
  ];
  return [
    { name: 'Status', said: <Status status={record.status} /> },
    ...optional.flatMap(([name, value, said]) => (value === undefined ? [] : [{ name, said }])),
    { name: 'Attempts', said: figure(record.attempts) },
    { name: 'Read', said: <Time at={record.createdAt} zone={zone} /> },
    { name: 'Last change', said: <Time at={record.updatedAt} zone={zone} /> },
    {
      name: 'Call',
      said: (
        <TextLink to="/calls/$callId" params={{ callId: record.callId }}>
          {record.callId}
        </TextLink>
      ),
    },
    { name: 'Record', said: record.recordId },
  ];
}

/** Everything about one record, with all columns of its row. */
export function RecordDetails({ batch, record, onClose }: Props) {
  const row = Object.entries(record?.metadata ?? {}).map(([name, value]) => ({ name, said: valueSaid(value) }));
  return (
    <Dialog opened={record !== undefined} onClose={onClose} title={record?.phoneNumber ?? ''} size="lg">
      {record !== undefined && (
        <Stack>
          <FactList facts={factsOf(record, batch.timezone)} />
          {row.length > 0 && (
            <>
              <Title order={3} size="h5">
                Row data
              </Title>
              <FactList facts={row} />
            </>
          )}
        </Stack>
      )}
    </Dialog>
  );
}

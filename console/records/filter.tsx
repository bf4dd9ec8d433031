import { Group, NativeSelect, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { type FiguresBy, figuresQuery } from '../api/batch-queries.js';
import type { Schemas } from '../api/client.js';
import { keySaid } from '../batch/figure-key.js';
import { useVariantNames } from '../batch/variant-names.js';
import { Choices } from '../ui/choices.js';
import { DurationField } from '../ui/duration-field.js';
import { SearchField } from '../ui/search-field.js';
import { statusSaid } from '../ui/status.js';
import { figure } from '../ui/words.js';
import { answerers, answerersOf, recordStatuses, type RecordsSearch, statusesOf } from './search.js';

interface Props {
  readonly batch: Schemas['BatchCallDetail'];
  readonly search: RecordsSearch;
  readonly onChange: (part: RecordsSearch) => void;
}

interface OneOfProps {
  readonly batchId: string;
  readonly label: string;
  readonly by: FiguresBy;
  readonly value: string | undefined;
  readonly onChoose: (value: string | undefined) => void;
  /** What a value is called, if not as in figures. */
  readonly said?: (key: string) => string;
}

/** One of the values that calls of the batch call have come to, and the one that the address names. */
function OneOf({ batchId, label, by, value, onChoose, said = (key) => keySaid(by, key) }: OneOfProps) {
  const rows = useQuery(figuresQuery(batchId, by)).data?.rows ?? [];
  const keys = rows.flatMap(({ key }) => (key === null ? [] : [key]));
  const all = value === undefined || keys.includes(value) ? keys : [value, ...keys];
  return (
    <NativeSelect
      label={label}
      value={value ?? ''}
      data={[{ value: '', label: 'Any' }, ...all.map((key) => ({ value: key, label: said(key) }))]}
      onChange={({ currentTarget }) => onChoose(currentTarget.value === '' ? undefined : currentTarget.value)}
    />
  );
}

interface OfVariantProps extends Pick<OneOfProps, 'value' | 'onChoose'> {
  readonly batch: Props['batch'];
}

/** Those that got one of the agents that are compared. */
function OfVariant({ batch: { batchId, variants }, value, onChoose }: OfVariantProps) {
  const said = useVariantNames(variants);
  return <OneOf {...{ batchId, label: 'Variant', by: 'variant', value, onChoose, said }} />;
}

/** What the records are filtered by; all of it must hold. */
export const RecordsFilter = ({ batch, search, onChange, children }: Props & { readonly children: ReactNode }) => (
  <Stack gap="sm" component="search" aria-label="Filter">
    <Group align="end" gap="sm">
      <SearchField
        label="Number or any value of the row"
        value={search.search ?? ''}
        onSearch={(next) => onChange({ search: next })}
      />
      <OneOf
        {...{ batchId: batch.batchId, label: 'Reason', by: 'reason', value: search.reason }}
        onChoose={(reason) => onChange({ reason })}
      />
      <OneOf
        {...{ batchId: batch.batchId, label: 'Attempts', by: 'attempt', value: search.attempts }}
        onChoose={(attempts) => onChange({ attempts })}
      />
      <OneOf
        {...{ batchId: batch.batchId, label: 'SIP code', by: 'sipStatusCode', value: search.sipStatusCode }}
        onChoose={(sipStatusCode) => onChange({ sipStatusCode })}
      />
      <DurationField value={search.duration} onChange={(duration) => onChange({ duration })} />
      {batch.variants !== undefined && (
        <OfVariant batch={batch} value={search.variant} onChoose={(variant) => onChange({ variant })} />
      )}
      {children}
    </Group>
    <Choices
      label="Status"
      all="All"
      options={recordStatuses.map((status) => ({
        value: status,
        words: `${statusSaid(status)} ${figure(batch.counts[status])}`,
      }))}
      chosen={statusesOf(search.status)}
      onChange={(chosen) => onChange({ status: chosen.join(',') })}
    />
    <Choices
      label="Answered by"
      all="Anyone or no one"
      options={answerers}
      chosen={answerersOf(search.answeredBy)}
      onChange={(chosen) => onChange({ answeredBy: chosen.join(',') })}
    />
  </Stack>
);

import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import type { RecordFilter } from '../api/batch-queries.js';
import { download } from '../api/download.js';
import type { Schemas } from '../api/client.js';
import { wordsOf } from '../api/refused.js';
import { stringifySearch } from '../app/search.js';

interface Props {
  readonly batch: Schemas['BatchCallDetail'];
  /** Omitted: all records. */
  readonly filter?: RecordFilter;
  readonly words?: string;
}

/** Saves records of a batch call as a spreadsheet (CSV), as they are now. */
export function Export({ batch, filter = {}, words = 'Export' }: Props) {
  const path = `/v1/batch-calls/${encodeURIComponent(batch.batchId)}/records/export${stringifySearch({ ...filter })}`;
  const saving = useMutation({ mutationFn: () => download(path) });
  return (
    <>
      <Button size="xs" variant="default" loading={saving.isPending} onClick={() => saving.mutate()}>
        {words}
      </Button>
      {saving.error !== null && <span role="alert">{wordsOf(saving.error)}</span>}
    </>
  );
}

import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { download } from '../api/download.js';
import type { Schemas } from '../api/client.js';
import { wordsOf } from '../api/refused.js';

/** Saves the records of a batch call as a spreadsheet (CSV), as they are now. */
export function Export({ batch }: { readonly batch: Schemas['BatchCallDetail'] }) {
  const saving = useMutation({
    mutationFn: () => download(`/v1/batch-calls/${encodeURIComponent(batch.batchId)}/records/export`),
  });
  return (
    <>
      <Button size="xs" variant="default" loading={saving.isPending} onClick={() => saving.mutate()}>
        Export
      </Button>
      {saving.error !== null && <span role="alert">{wordsOf(saving.error)}</span>}
    </>
  );
}

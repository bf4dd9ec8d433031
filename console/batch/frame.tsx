import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { batchQuery } from '../api/batch-queries.js';
import type { Schemas } from '../api/client.js';
import type { Request } from '../ui/curl.js';
import { Fresh } from '../ui/fresh.js';
import { Page } from '../ui/page.js';
import { Simulated, Status } from '../ui/status.js';
import type { BatchView } from './search.js';
import { Steering } from './steering.js';
import { Views } from './views.js';

interface Props {
  readonly batchId: string;
  readonly view: BatchView | 'overview' | 'records';
  /** Requests beside that of the batch call itself. */
  readonly requests: readonly Request[];
  readonly children: (batch: Schemas['BatchCallDetail']) => ReactNode;
}

/** What all pages of a batch call have: its name and state, what can be done with it, and the ways to its parts. */
export function Frame({ batchId, view, requests, children }: Props) {
  const query = useQuery(batchQuery(batchId));
  const batch = query.data;
  return (
    <Page
      title={batch?.batchName ?? 'Batch call'}
      requests={[{ path: `/v1/batch-calls/${encodeURIComponent(batchId)}` }, ...requests]}
      marks={
        batch !== undefined && (
          <>
            <Status status={batch.status} />
            {batch.paused && <Status status="paused" />}
            {batch.open && <Status status="open" />}
            {batch.simulated && <Simulated />}
          </>
        )
      }
      actions={batch !== undefined && <Steering batch={batch} />}
    >
      <Views batchId={batchId} view={view} />
      <Fresh query={query}>{children}</Fresh>
    </Page>
  );
}

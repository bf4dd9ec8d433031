import { getRouteApi } from '@tanstack/react-router';
import type { Schemas } from '../api/client.js';
import { useAddress } from '../app/address.js';
import type { Request } from '../ui/curl.js';
import { lazyPart } from '../ui/lazy.js';
import { Frame } from './frame.js';
import { Overview } from './overview.js';
import type { BatchSearch, BatchView } from './search.js';
import { usualPerPage } from '../ui/usual.js';

const route = getRouteApi('/batches/$batchId');

// Parts that are not opened are not loaded.
const Settings = lazyPart(async () => (await import('./settings.js')).Settings);
const LeftOut = lazyPart(async () => (await import('./left-out.js')).LeftOut);
const Deliveries = lazyPart(async () => (await import('./deliveries.js')).Deliveries);
const Changes = lazyPart(async () => (await import('./changes.js')).Changes);

/** What each part asks the API, beside the batch call itself. */
function requestsOf(batchId: string, view: BatchView | 'overview', search: BatchSearch): readonly Request[] {
  const own = `/v1/batch-calls/${encodeURIComponent(batchId)}`;
  const paging = `page=${search.page ?? 1}&perPage=${search.perPage ?? usualPerPage}`;
  switch (view) {
    case 'overview':
      return [{ path: `${own}/timeline` }, { path: `${own}/stats?by=${search.by ?? 'hour'}` }];
    case 'left-out':
      return [{ path: `${own}/rejected-rows?${paging}` }];
    case 'webhooks':
      return [{ path: `${own}/webhook-deliveries?${paging}` }];
    case 'changes':
      return [{ path: `/v1/account/audit-log?target=${encodeURIComponent(batchId)}&${paging}` }];
    case 'settings':
      return [];
  }
}

/** One batch call: how far it is, what it waits for, what came of it, and what can be changed. */
export function BatchPage() {
  const { batchId } = route.useParams();
  const { search, change, turn } = useAddress(route.useSearch(), route.useNavigate());
  const view = search.view ?? 'overview';
  const paging = { page: search.page ?? 1, perPage: Math.min(search.perPage ?? usualPerPage, 100) };
  const partOf = (batch: Schemas['BatchCallDetail']) => {
    switch (view) {
      case 'overview':
        return <Overview batch={batch} by={search.by ?? 'hour'} onSplit={(by) => change({ by })} />;
      case 'settings':
        return <Settings key={batchId} batch={batch} />;
      case 'left-out':
        return <LeftOut batch={batch} paging={paging} onTurn={turn} />;
      case 'webhooks':
        return <Deliveries batch={batch} paging={paging} onTurn={turn} />;
      case 'changes':
        return <Changes batch={batch} paging={paging} onTurn={turn} />;
    }
  };
  return (
    <Frame batchId={batchId} view={view} requests={requestsOf(batchId, view, search)}>
      {partOf}
    </Frame>
  );
}

import type { Listing } from '../../commands/service-options.js';
import { clientOf } from '../client.js';
import { listRows } from '../list.js';
import { printRows } from '../output.js';

/** `outdial batch rejected` */
export async function listRejectedRows(batchId: string, flags: Listing): Promise<void> {
  const columns = { Row: 'row', Value: 'value', Reason: 'reason', 'What is wrong': 'message' };
  const asked = { path: { batchId } };
  const rows = await listRows(await clientOf(flags), 'batchCalls.listRejectedRows', flags.limit, asked);
  printRows(rows, { id: 'row', columns }, flags);
}

/** `outdial batch corrected` */
export async function listCorrectedRows(batchId: string, flags: Listing): Promise<void> {
  const columns = { Row: 'row', Value: 'value', 'Number that is called': 'phoneNumber' };
  const asked = { path: { batchId } };
  const rows = await listRows(await clientOf(flags), 'batchCalls.listCorrectedRows', flags.limit, asked);
  printRows(rows, { id: 'row', columns }, flags);
}

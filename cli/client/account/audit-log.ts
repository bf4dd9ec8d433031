import type { Listing } from '../../commands/service-options.js';
import { instantOrDay } from '../../moments.js';
import { clientOf } from '../client.js';
import { listRows } from '../list.js';
import { printRows, type Shown, unlessEmpty } from '../output.js';

export interface AuditLogFlags extends Listing {
  readonly action?: string;
  readonly target?: string;
  readonly key?: string;
  readonly from?: string;
  readonly to?: string;
}

const entries: Shown = {
  id: 'id',
  columns: {
    At: 'createdAt',
    Action: 'action',
    Target: 'target',
    Key: ({ keyId }) => keyId ?? 'the service',
    Address: 'address',
    Details: unlessEmpty('details'),
  },
};

/** `outdial audit-log list` */
export async function listAuditLog(flags: AuditLogFlags): Promise<void> {
  const { limit, action, target, key: keyId, from, to } = flags;
  const startDate = from === undefined ? undefined : millisecondsOf(from, '--from');
  const endDate = to === undefined ? undefined : millisecondsOf(to, '--to');
  const query = { action, target, keyId, startDate, endDate };
  printRows(await listRows(await clientOf(flags), 'auditLog.list', limit, { query }), entries, flags);
}

const millisecondsOf = (text: string, option: string): number => Date.parse(instantOrDay(text, option));

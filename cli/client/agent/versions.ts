import type { ClientFlags, Listing } from '../../commands/service-options.js';
import { clientOf } from '../client.js';
import { wrongUsage } from '../exit-codes.js';
import { listRows } from '../list.js';
import { printDone, printRows, type Shown } from '../output.js';

const versions: Shown = {
  id: 'versionId',
  columns: {
    Id: 'versionId',
    Number: 'number',
    Name: 'versionName',
    Live: ({ isDeployed }) => (isDeployed === true ? 'yes' : ''),
    Saved: 'createdAt',
  },
};

/** `outdial agent versions` */
export async function listVersions(agentId: string, flags: Listing): Promise<void> {
  const path = { agentId };
  printRows(await listRows(await clientOf(flags), 'agents.listVersions', flags.limit, { path }), versions, flags);
}

interface Removal extends ClientFlags {
  readonly yes?: true;
}

/** `outdial agent undeploy` */
export async function undeployAgent(agentId: string, flags: Removal): Promise<void> {
  if (flags.yes !== true) {
    throw wrongUsage('New calls are refused and its batch calls wait then. Add --yes to take it out of service.');
  }
  const answer = await (await clientOf(flags)).ask('agents.undeploy', { path: { agentId }, json: {} });
  printDone(`${agentId} is out of service. Calls in progress finish.`, answer, agentId, flags);
}

/** `outdial agent delete` */
export async function deleteAgent(agentId: string, flags: Removal): Promise<void> {
  if (flags.yes !== true) {
    throw wrongUsage('Its versions and the keys in them go, and there is no way back. Add --yes to delete it.');
  }
  const answer = await (await clientOf(flags)).ask('agents.delete', { path: { agentId } });
  printDone(`${agentId} is deleted.`, answer, agentId, flags);
}

import { setTimeout as delay } from 'node:timers/promises';
import type { ClientFlags } from '../../commands/service-options.js';
import { clientOf, type Row } from '../client.js';
import { CommandFailed, exitCodes } from '../exit-codes.js';
import { listRows } from '../list.js';
import { fieldOf, printDone, printOne, printRows } from '../output.js';
import { textOf } from '../printable.js';
import { whileAway } from '../while-away.js';

const columns = { Id: 'agentId', Name: 'name', Status: 'status', Deployment: 'deploymentId', Updated: 'updatedAt' };

/** `outdial agent list` */
export async function listAgents(
  flags: ClientFlags & { limit: number; search?: string; status?: string },
): Promise<void> {
  const { limit, search, status } = flags;
  const rows = await listRows(await clientOf(flags), 'agents.list', limit, { query: { search, status } });
  printRows(rows, { id: 'agentId', columns }, flags);
}

/** `outdial agent show` */
export async function showAgent(agentId: string, flags: ClientFlags): Promise<void> {
  const agent = await (await clientOf(flags)).ask('agents.get', { path: { agentId } });
  const languages = (row: Row): string[] => Object.keys(fieldOf(row, 'config.languages') ?? {});
  printOne(agent, { id: 'agentId', columns: { ...columns, Version: 'versionId', Languages: languages } }, flags);
}

/** `outdial agent deploy`: waits until the deployment is live or has failed. */
export async function deployAgent(
  agentId: string,
  flags: ClientFlags & { agentVersion?: string; region?: string },
): Promise<void> {
  const { agentVersion: versionId, region } = flags;
  const client = await clientOf(flags);
  const json = { ...(versionId === undefined ? {} : { versionId }), ...(region === undefined ? {} : { region }) };
  let deployment = await client.ask('agents.deploy', { path: { agentId }, json, idempotencyKey: true });
  const deploymentId = textOf(deployment.deploymentId);
  const patiently = whileAway({ what: 'the deployment', hasAnswered: true });
  while (deployment.status === 'pending') {
    await delay(1_000);
    const path = { agentId, deploymentId };
    deployment = (await patiently(() => client.ask('agents.getDeployment', { path }))) ?? deployment;
  }
  if (deployment.status === 'failed') {
    throw new CommandFailed(exitCodes.failed, `${deploymentId} has failed: ${textOf(deployment.reason)}`);
  }
  printDone(
    `${textOf(deployment.versionId)} of ${agentId} is ${textOf(deployment.status)}.`,
    deployment,
    deploymentId,
    flags,
  );
}

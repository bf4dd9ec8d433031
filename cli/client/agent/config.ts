import type { ClientFlags } from '../../commands/service-options.js';
import { type Client, clientOf, type Row } from '../client.js';
import { CommandFailed, exitCodes } from '../exit-codes.js';
import { readJson } from '../json-file.js';
import { coloursOn, fieldOf, printDone, printLines } from '../output.js';
import { textOf } from '../printable.js';
import { type Difference, differencesOf } from './differences.js';

/** `outdial agent create`: the agent and its first version, which the service deploys. */
export async function createAgent(file: string, flags: ClientFlags): Promise<void> {
  const json = await readJson(file);
  const agent = await (await clientOf(flags)).ask('agents.create', { json, idempotencyKey: true });
  const id = textOf(agent.agentId);
  const live = agent.status === 'active';
  const next = live
    ? `Talk to it with: outdial agent try ${id}`
    : `It is not deployed: \`outdial agent deploy ${id}\` says why.`;
  printDone(`${id} (${textOf(agent.name)}) is ${live ? 'live' : 'made'}. ${next}`, agent, id, flags);
}

/** `outdial agent update`: a new version, after showing what differs; it is put live by `agent deploy`. */
export async function updateAgent(agentId: string, file: string, flags: ClientFlags): Promise<void> {
  const json = await readJson(file);
  const client = await clientOf(flags);
  const differences = await differencesTo(client, agentId, json);
  if (differences.length === 0) {
    printDone(`${agentId} is like ${file} already: no version was made.`, {}, agentId, flags);
    return;
  }
  if (flags.quiet !== true) for (const line of linesOf(differences)) console.error(line);
  const agent = await client.ask('agents.update', { path: { agentId }, json });
  const words = `${textOf(agent.versionId)} of ${agentId} is made. Put it live with: outdial agent deploy ${agentId}`;
  printDone(words, agent, agentId, flags);
}

/** `outdial agent diff`. @throws CommandFailed if they differ, as `diff` ends with 1 */
export async function diffAgent(agentId: string, file: string, flags: ClientFlags): Promise<void> {
  const json = await readJson(file);
  const differences = await differencesTo(await clientOf(flags), agentId, json);
  if (flags.output === 'json') printLines([JSON.stringify(differences, null, 2)]);
  else if (flags.quiet !== true) printLines(linesOf(differences));
  if (differences.length > 0) {
    const places = `${differences.length} ${differences.length === 1 ? 'place' : 'places'}`;
    throw new CommandFailed(exitCodes.failed, `${agentId} and ${file} differ in ${places}.`);
  }
  if (flags.output === 'table' && flags.quiet !== true) printLines([`${agentId} is like ${file}.`]);
}

async function differencesTo(client: Client, agentId: string, file: unknown): Promise<readonly Difference[]> {
  const agent: Row = await client.ask('agents.get', { path: { agentId } });
  // The name of a version is not of its config.
  const given = typeof file === 'object' && file !== null ? { ...file, versionName: undefined } : file;
  return differencesOf(fieldOf(agent, 'config'), given);
}

function linesOf(differences: readonly Difference[]): string[] {
  const { red, green } = coloursOn(process.stdout);
  return differences.flatMap(({ path, before, after }) => [
    ...(before === undefined ? [] : [red(`- ${path}: ${shortly(before)}`)]),
    ...(after === undefined ? [] : [green(`+ ${path}: ${shortly(after)}`)]),
  ]);
}

const shortly = (value: unknown): string => textOf(typeof value === 'string' ? JSON.stringify(value) : value);

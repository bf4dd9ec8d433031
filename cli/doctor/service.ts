import { availableParallelism } from 'node:os';
import { z } from 'zod';
import { type Client, createClient, type Row } from '../client/client.js';
import { type Connection, findConnection, type ServiceFlags } from '../client/connection.js';
import type { Installation } from '../../domain/capacity.js';
import { CommandFailed } from '../client/exit-codes.js';
import { listRows } from '../client/list.js';
import { textOf } from '../client/printable.js';
import { isLoopback } from '../up/addresses.js';
import { capacityFinding, type Example } from './capacity.js';
import { failed, type Finding, ok, skipped, warning, wordsOf } from './finding.js';

/** Beyond this a token that is signed here may not count yet, and schedules are off. */
const mostSecondsApart = 30;
const mostAgents = 20;
/** One part that is silent must not keep the others from being told of. */
const patience = { readMs: 20_000, writeMs: 30_000 };

/** What can be seen from outside: over the API, with a customer's token. */
export async function serviceFindings(flags: ServiceFlags, example: Example): Promise<Finding[]> {
  let connection: Connection;
  try {
    connection = await findConnection(flags);
  } catch (error) {
    return [skipped('service', wordsOf(error))];
  }
  const client = createClient(connection, patience);
  const ready = await readiness(client);
  if (ready.some(({ check, state }) => check === 'service' && state === 'failed')) return ready;
  try {
    const account = await client.ask('account.get');
    const found = ok('token', `accepted, of the account ${textOf(account.name)} (${textOf(account.accountId)})`);
    const overview = Overview.parse(await client.ask('overview.get'));
    const trunks = await trunkFindings(client, overview);
    const carried =
      overview.gateways.length === 0 ? [] : [capacityFinding(installationOf(overview, connection), example)];
    return [...ready, found, ...trunks, ...(await agentFindings(client)), ...carried];
  } catch (error) {
    return [...ready, failed('token', wordsOf(error))];
  }
}

const Ready = z.looseObject({
  checks: z.record(z.string(), z.boolean()),
  problems: z.array(z.string()).optional(),
  warnings: z.array(z.string()).optional(),
});

const readyRemedies: Readonly<Record<string, string>> = {
  postgres: 'See that PostgreSQL runs, and that OUTDIAL_DATABASE_URL of the api names it.',
  migrations: 'Run `outdial migrate`, then start the roles again.',
  temporal: 'See that Temporal runs, and that TEMPORAL_ADDRESS and TEMPORAL_NAMESPACE of the api name it.',
};

/** Asks the api what it asks itself (`/readyz`). */
async function readiness(client: Client): Promise<Finding[]> {
  const { url, from } = client.connection;
  const asked = Date.now();
  let answer: Response;
  try {
    answer = await client.send('GET', '/readyz');
  } catch (error) {
    return [failed('service', wordsOf(error), 'Start the service, or name another one with --profile or --data.')];
  }
  const parsed = Ready.safeParse(await answer.json().catch(() => undefined));
  if (!parsed.success) {
    return [failed('service', `${url} answers ${answer.status} to /readyz: this is no Outdial.`, 'Check the address.')];
  }
  const { checks, problems = [], warnings = [] } = parsed.data;
  const workers = warnings.map((words) => failed('its workers', words));
  const findings = Object.entries(checks).map(([name, holds]) => {
    if (holds) return ok(`its ${name}`, 'the api reaches it, and it is as it should be');
    const words = name === 'postgres' && problems.length > 0 ? problems.join(' ') : 'the api says that it is not ready';
    return failed(`its ${name}`, words, readyRemedies[name]);
  });
  return [
    ok('service', `${url} answers (${from})`),
    ...findings,
    ...workers,
    clockFinding(answer.headers.get('date'), asked),
  ];
}

function clockFinding(date: string | null, asked: number): Finding {
  const at = date === null ? NaN : Date.parse(date);
  if (Number.isNaN(at)) return skipped('clocks', 'The service does not say what time it is.');
  // The header has whole seconds, and the answer took its time.
  const apart = Math.max(asked - at - 1_000, at - Date.now()) / 1_000;
  const words = `the clocks of the service and of this machine agree to within ${mostSecondsApart} s`;
  if (apart <= mostSecondsApart) return ok('clocks', words);
  return failed(
    'clocks',
    `The clock of the service differs from that of this machine by ${Math.round(apart)} s.`,
    'Set both by NTP.',
  );
}

const Overview = z.looseObject({
  agentSlots: z.array(z.looseObject({ most: z.number() })),
  gateways: z.array(
    z.looseObject({
      gatewayId: z.string(),
      name: z.string(),
      maxConcurrentCalls: z.number(),
      // A service of the version before has none.
      reservedCalls: z.number().default(0),
      callsPerSecond: z.number(),
      suspended: z.looseObject({ since: z.string(), reason: z.string().nullable() }).nullable(),
    }),
  ),
});

/** A service at an address of this machine has its agents here, as far as can be seen. */
function installationOf({ gateways, agentSlots }: z.infer<typeof Overview>, { url }: Connection): Installation {
  const { hostname } = new URL(url);
  return {
    // Lists of numbers are called on the lines that are not reserved.
    gateways: gateways
      .filter(({ suspended }) => suspended === null)
      .map(({ maxConcurrentCalls, reservedCalls, callsPerSecond }) => ({
        maxConcurrentCalls: Math.max(0, maxConcurrentCalls - reservedCalls),
        callsPerSecond,
      })),
    agentSlots: agentSlots.length === 0 ? null : agentSlots.reduce((sum, { most }) => sum + most, 0),
    cores: isLoopback(hostname.replace(/^\[|\]$/g, '')) ? availableParallelism() : null,
  };
}

/** Asks every outbound gateway whether it answers, as `outdial gateway check` does. */
async function trunkFindings(client: Client, { gateways }: z.infer<typeof Overview>): Promise<Finding[]> {
  if (gateways.length === 0) {
    return [
      warning(
        'trunks',
        'There is no outbound gateway: nobody can be called.',
        'Register a number with one: POST /v2/sip/phone-numbers.',
      ),
    ];
  }
  const findings: Finding[] = [];
  for (const { gatewayId, name, suspended } of gateways) {
    const check = `trunk ${textOf(name)}`;
    if (suspended !== null) {
      const reason = textOf(suspended.reason ?? 'the carrier refuses calls');
      findings.push(
        failed(
          check,
          `suspended since ${suspended.since}: ${reason}`,
          'Mend it at the carrier or in the gateway; one call tries it again by itself.',
        ),
      );
      continue;
    }
    try {
      const { reachable, message } = await client.ask('phoneNumbers.checkGateway', { path: { gatewayId } });
      const words = textOf(message);
      const remedy = `Check address, transport and credentials (outdial api GET /v2/sip/outbound-gateways/${gatewayId}) and the firewall.`;
      findings.push(reachable === true ? ok(check, words) : failed(check, words, remedy));
    } catch (error) {
      if (!(error instanceof CommandFailed)) throw error;
      findings.push(skipped(check, error.message));
    }
  }
  return findings;
}

/** Agents whose latest deployment has failed: its reason names missing keys of models, voices and workers. */
async function agentFindings(client: Client): Promise<Finding[]> {
  const inactive = await listRows(client, 'agents.list', mostAgents, { query: { status: 'inactive' } });
  const findings = await Promise.all(inactive.map(async (agent) => agentFinding(client, agent)));
  if (findings.length > 0) return findings;
  const [any] = await listRows(client, 'agents.list', 1);
  return [any === undefined ? skipped('agents', 'There is no agent yet.') : ok('agents', 'every agent is deployed')];
}

async function agentFinding(client: Client, { agentId, name }: Row): Promise<Finding> {
  const check = `agent ${textOf(name)}`;
  const [last] = await listRows(client, 'agents.listDeployments', 1, { path: { agentId: textOf(agentId) } });
  const remedy = `Then deploy it: outdial agent deploy ${textOf(agentId)}`;
  return last?.status === 'failed'
    ? failed(check, textOf(last.reason), remedy)
    : warning(check, 'is not deployed: calls of its rules cannot be made', remedy);
}

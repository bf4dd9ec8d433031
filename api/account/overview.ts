import { z } from 'zod';
import { overviewOf, unfinishedOf } from '../../db/queries/accounts/overview.js';
import { mostCounted } from '../../db/queries/counted.js';
import { batchStatuses } from '../../domain/batch/batch-call.js';
import { missingOf } from '../../domain/batch/standstill.js';
import { unsentSentence } from '../../domain/call/unsent.js';
import { instant } from '../fields.js';
import { stateOf, versionsInUse, workerVersionStates } from '../../domain/workflow/worker-versions.js';
import { operation, workersOf } from '../operation.js';

const counted = `Counted up to ${mostCounted.toLocaleString('en-US')}`;

const GatewayOverview = z
  .strictObject({
    gatewayId: z.string().describe('Id of the outbound gateway, `gwo_…`'),
    name: z.string().describe('Its name'),
    liveCalls: z.int().describe('Calls that it dials, that ring or are answered'),
    maxConcurrentCalls: z
      .int()
      .describe('How many it takes at this moment: less than configured if its carrier is short'),
    reservedCalls: z.int().describe('Lines that batch calls leave free'),
    callsPerSecond: z.number().describe('How many INVITEs a second it takes at this moment'),
    callsPerSecondUsed: z.number().describe('INVITEs a second over the last ten seconds'),
    callsInLastMinute: z.int().describe('INVITEs of the last minute, to within five seconds'),
    suspended: z
      .strictObject({
        since: instant().describe('Since when'),
        reason: z.string().nullable().describe('What the carrier said'),
        triedAgainAt: instant().nullable().describe('When one call tries it again'),
      })
      .nullable()
      .describe('Why nothing is dialed through it; null: it is not suspended'),
  })
  .meta({ id: 'GatewayOverview' });

const Overview = z
  .strictObject({
    at: instant().describe('When this was read'),
    batches: z
      .strictObject({
        ...Object.fromEntries(batchStatuses.map((status) => [status, z.int().describe(counted)])),
        paused: z.int().describe('Those of the running ones that are paused'),
      } as Record<(typeof batchStatuses)[number] | 'paused', z.ZodInt>)
      .describe('Batch calls by status'),
    liveCalls: z
      .strictObject({
        total: z.int().describe('All of them'),
        dialing: z.int().describe('The INVITE is sent'),
        ringing: z.int().describe('The telephone rings'),
        answered: z.int().describe('Somebody has answered'),
      })
      .describe('Calls at the carrier, inbound ones included'),
    callsInLastMinute: z.int().describe('Calls that were dialed in the last minute, to within five seconds'),
    agentSlots: z
      .array(
        z
          .strictObject({
            region: z.string().describe('Name of the region'),
            used: z.int().describe('Calls of this account that have an agent or wait for theirs'),
            free: z.int().describe('Further calls that the agents of the region take'),
            reserved: z.int().describe('Calls at once that batch calls leave to others'),
            most: z.int().describe('Calls at once of all accounts once all processes of the agents have loaded'),
          })
          .meta({ id: 'AgentSlots' }),
      )
      .describe('By region, the default one first; empty if agents are simulated'),
    gateways: z.array(GatewayOverview).describe('Outbound gateways, newest first'),
    oldestDue: z
      .strictObject({
        dueAt: instant().describe('Since when it is due'),
        batchId: z.string().nullable().describe('Its batch call; null: a single call'),
      })
      .nullable()
      .describe('The attempt that has been due longest and is not dialed, of unpaused batch calls and single calls'),
    webhookBacklog: z
      .strictObject({
        count: z.int().describe(`Deliveries that have not arrived and are tried again. ${counted}`),
        oldestAt: instant().nullable().describe('When the first of them was made'),
      })
      .describe('Webhook deliveries that wait'),
    workerVersions: z
      .array(
        z.strictObject({
          buildId: z.string().nullable().describe('Its build id; null: workers without a version'),
          state: z.enum(workerVersionStates).describe('new: it has never taken work'),
          hasWorker: z.boolean().describe('Whether a worker of it runs'),
          waitingBatches: z.int().describe('Unfinished batch calls that wait for one, as none runs'),
        }),
      )
      .describe('Versions of the workers; empty if they have none'),
    warnings: z.array(z.string()).describe('What is missing or does not go on, a sentence each'),
  })
  .meta({
    id: 'Overview',
    examples: [
      {
        at: '2026-03-02T17:30:00.000Z',
        batches: {
          ...{ parsing: 0, parse_failed: 1, scheduled: 2, running: 3, cancelling: 0, cancelled: 4, completed: 120 },
          paused: 1,
        },
        liveCalls: { total: 37, dialing: 2, ringing: 11, answered: 24 },
        callsInLastMinute: 190,
        agentSlots: [{ region: 'default', used: 37, free: 13, reserved: 4, most: 64 }],
        gateways: [
          {
            ...{ gatewayId: 'gwo_0198f6f1-0b3c-7c4d-8d5e-9f6a7b8c9d0e', name: 'Trunk', liveCalls: 37 },
            ...{ maxConcurrentCalls: 50, reservedCalls: 5, callsPerSecond: 5, callsPerSecondUsed: 3.2 },
            callsInLastMinute: 190,
            suspended: null,
          },
        ],
        oldestDue: { dueAt: '2026-03-02T17:29:41.000Z', batchId: 'batch_0198f6f2-5c1e-7d3a-9b1f-2f6f0f6f7a01' },
        webhookBacklog: { count: 0, oldestAt: null },
        workerVersions: [{ buildId: '1.1.0', state: 'current' as const, hasWorker: true, waitingBatches: 0 }],
        warnings: [],
      },
    ],
  });

const isoOf = (text: string | null): string | null => (text === null ? null : new Date(text).toISOString());

/** GET /v1/overview */
export const getOverview = operation({
  name: 'overview.get',
  method: 'GET',
  url: '/v1/overview',
  family: 'account',
  tag: 'Account',
  schema: {
    summary: 'Get how the dialing goes',
    description: 'What the account dials at this moment, and what holds it. Of other accounts nothing is shown.',
    response: { 200: Overview },
  },

  async handler({ caller }, deps) {
    const { database, env, clock } = deps;
    const now = clock();
    const workers = workersOf(deps);
    const overview = await overviewOf(database.db, caller.accountId, batchStatuses);
    const waiting = await unfinishedOf(database.db, caller.accountId, [...workers.strandedBatches.keys()]);
    const waitsFor = (buildId: string | null) =>
      waiting.filter((batchId) => workers.strandedBatches.get(batchId) === buildId).length;
    const { dialing, ringing, answered } = overview.live;
    const [defaultRegion] = env.OUTDIAL_REGIONS;
    const callsOf = (calls: Readonly<Record<string, number>>, region: string): number =>
      (calls[region] ?? 0) + (region === defaultRegion ? (calls.auto ?? 0) : 0);
    const regions = env.OUTDIAL_PROVIDER === 'livekit' ? env.OUTDIAL_REGIONS : [];
    return {
      status: 200,
      body: {
        at: now.toISOString(),
        batches: {
          ...(Object.fromEntries(batchStatuses.map((status) => [status, overview.batches[status] ?? 0])) as Record<
            (typeof batchStatuses)[number],
            number
          >),
          paused: overview.paused,
        },
        liveCalls: { total: dialing + ringing + answered, dialing, ringing, answered },
        callsInLastMinute: overview.gateways.reduce((sum, gateway) => sum + gateway.dialedInLastMinute, 0),
        agentSlots: regions.map((region) => ({
          region,
          used: callsOf(overview.ownByRegion, region),
          free: Math.max(0, (overview.agents.slots[region] ?? 0) - callsOf(overview.agents.taken, region)),
          reserved: overview.agents.reserved[region] ?? 0,
          most: overview.most[region] ?? 0,
        })),
        gateways: overview.gateways.map(
          ({ id, dialedInLastMinute, suspendedSince, suspendedReason, probeAt, unsent: _, ...gateway }) => ({
            gatewayId: id,
            ...gateway,
            callsInLastMinute: dialedInLastMinute,
            suspended:
              suspendedSince === null
                ? null
                : {
                    since: suspendedSince.toISOString(),
                    reason: suspendedReason,
                    triedAgainAt: probeAt?.toISOString() ?? null,
                  },
          }),
        ),
        oldestDue:
          overview.oldestDue === null
            ? null
            : { dueAt: new Date(overview.oldestDue.dueAt).toISOString(), batchId: overview.oldestDue.batchId },
        webhookBacklog: { count: overview.backlog.count, oldestAt: isoOf(overview.backlog.oldestAt) },
        workerVersions: versionsInUse(workers).map((version) => {
          const { buildId, hasWorker } = version;
          return { buildId, state: stateOf(version), hasWorker, waitingBatches: waitsFor(buildId) };
        }),
        warnings: [
          ...missingOf(overview.dialers, workers.missing),
          ...overview.gateways.flatMap(({ name, unsent, suspendedSince }) =>
            unsent === null || suspendedSince !== null ? [] : [unsentSentence(unsent, now, name)],
          ),
        ],
      },
    };
  },
});

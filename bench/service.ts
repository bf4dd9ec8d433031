import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { type Api, createApi } from '../cli/demo/api-client.js';
import { Ready } from '../cli/up/ready.js';
import { startChild } from '../embedded/child.js';
import { temporaryFolder } from '../embedded/temporary-folder.js';

/** The most that a gateway can be set to. There are several, or this would be what is measured. */
export const callsPerSecondOfALine = 200;

/** The whole service as `outdial up` runs it, with an agent and numbers to call from. */
export interface RunningService {
  readonly ready: Ready;
  readonly api: Api;
  /** Its data folder. */
  readonly data: string;
  /** E.164, each with its own outbound gateway. */
  readonly lines: readonly string[];
  readonly ruleId: string;
  stop(): Promise<void>;
}

export interface Upload {
  readonly name: string;
  /** E.164 of the line to call from. */
  readonly from: string;
  readonly csv: string | Buffer;
  readonly retry?: { readonly retryOn: readonly string[]; readonly retryDelays: readonly number[] };
  readonly schedule?: { readonly date: string; readonly time: string; readonly timezone: string };
}

const outdial = fileURLToPath(new URL('../cli/main.js', import.meta.url));
const readyWithinMs = 120_000;
/** When a batch ended is in its answer: how often it is asked for changes only what the questions cost. */
const askAgainMs = 1_000;
/** The carrier's clock: ringing and talking of minutes pass in milliseconds, so the carrier takes next to no time. */
export const carrierSpeed = 1_000;

interface ServiceOptions {
  /** Numbers to call from, each with its own gateways. */
  readonly lines: number;
  /** Settings beside those of this process. */
  readonly env?: Readonly<Record<string, string>>;
}

export async function startService(options: ServiceOptions, say: (line: string) => void): Promise<RunningService> {
  const folder = temporaryFolder('bench');
  const readyFile = join(folder, 'ready-for-bench.json');
  const logFile = join(folder, 'up.log');
  const data = join(folder, 'data');
  const child = await startChild({
    command: process.execPath,
    args: [outdial, 'up', '--port', '0', '--speed', String(carrierSpeed), '--data', data, '--ready-file', readyFile],
    env: {
      ...process.env,
      OUTDIAL_DEFAULT_CALLS_PER_SECOND: String(callsPerSecondOfALine),
      // What is measured is not how well requests are held off.
      OUTDIAL_RATE_LIMIT_PER_SECOND: '100000',
      OUTDIAL_RATE_LIMIT_BURST: '100000',
      OUTDIAL_LOG_LEVEL: 'warn',
      ...options.env,
    },
    logFile,
  });
  const stop = async (): Promise<void> => {
    await child.stop(90_000);
    for (const line of complaints(join(data, 'logs'))) say(line);
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    const until = performance.now() + readyWithinMs;
    let ready = readReady(readyFile);
    while (ready === undefined) {
      if (child.isOver() || performance.now() > until) {
        throw new Error(`outdial up did not become ready:\n${readFileSync(logFile, 'utf8')}`);
      }
      await delay(50);
      ready = readReady(readyFile);
    }
    const api = createApi(ready.apiUrl, ready.token);
    const setting = await prepare(api, options.lines);
    say(`The service is up at ${ready.apiUrl}, with ${options.lines} gateways.`);
    return { ready, api, data, ...setting, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** What our processes have warned of: a run that was slow may have been ill. */
function complaints(folder: string): string[] {
  return ['api', 'worker', 'dialer', 'carrier'].flatMap((role) => {
    const path = join(folder, `${role}.log`);
    const lines = existsSync(path) ? readFileSync(path, 'utf8').split('\n') : [];
    const loud = lines.filter((line) => /"level":"(warn|error|fatal)"/.test(line));
    return loud.length === 0 ? [] : [`${role} warned ${loud.length} times, first: ${loud[0]?.slice(0, 400) ?? ''}`];
  });
}

function readReady(path: string): Ready | undefined {
  try {
    return Ready.parse(JSON.parse(readFileSync(path, 'utf8')));
  } catch {
    return undefined; // written when it is ready, not before
  }
}

async function prepare(api: Api, lineCount: number): Promise<Pick<RunningService, 'lines' | 'ruleId'>> {
  const agent = await api.post(
    '/v1/agents',
    { name: 'Benchmark', languages: { english: { prompt: 'Confirm the appointment. Be brief.' } } },
    z.looseObject({ agentId: z.string(), status: z.literal('active') }),
  );
  const lines = Array.from({ length: lineCount }, (_, index) => `+120255501${String(index).padStart(2, '0')}`);
  await api.post(
    '/v2/sip/phone-numbers',
    { name: 'Line', phoneNumbers: lines, isShared: false, outbound: { address: 'sip.carrier.example' } },
    z.looseObject({ message: z.string() }),
  );
  const rule = await api.post(
    '/v2/sip/routing-rule',
    { name: 'Benchmark', type: 'outbound', phoneNumbers: lines, agentId: agent.agentId },
    z.looseObject({ id: z.string() }),
  );
  return { lines, ruleId: rule.id };
}

/** The form of a batch call as any client sends it. */
export function batchForm({ ruleId }: RunningService, { name, from, csv, retry, schedule }: Upload): FormData {
  const form = new FormData();
  form.set('name', name);
  form.set('phoneNumber', from);
  form.set('routingRuleId', ruleId);
  if (retry !== undefined) form.set('retry', JSON.stringify(retry));
  if (schedule !== undefined) form.set('schedule', JSON.stringify(schedule));
  form.set('file', new Blob([csv]), 'numbers.csv');
  return form;
}

const Made = z.looseObject({ batchId: z.string() });
const Total = z.looseObject({ pageInfo: z.looseObject({ total: z.number() }) });

/** @returns the batch's id */
export async function upload(service: RunningService, what: Upload): Promise<string> {
  const { batchId } = await service.api.post('/v1/batch-calls', batchForm(service, what), Made);
  return batchId;
}

/** Waits until no batch of the account has any of these statuses. */
export async function noneIs({ api }: RunningService, ...statuses: readonly string[]): Promise<void> {
  const path = `/v1/batch-calls?perPage=1&status=${statuses.join()}`;
  while ((await api.get(path, Total)).pageInfo.total > 0) await delay(askAgainMs);
}

/** A day and time of the schedule field, in UTC. */
export const scheduleAt = (instant: Date): NonNullable<Upload['schedule']> => ({
  date: instant.toISOString().slice(0, 10),
  time: instant.toISOString().slice(11, 16),
  timezone: 'UTC',
});

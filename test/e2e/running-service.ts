import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { existsSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { join } from 'node:path';
import { Webhook } from 'standardwebhooks';
import { temporaryFolder } from '../../embedded/temporary-folder.js';
import { type Answer, type Client, clientOf } from './client.js';

/** What `up` writes when it is ready. */
export interface Ready {
  readonly apiUrl: string;
  readonly token: string;
  readonly carrierUrl: string;
  readonly temporalUiUrl: string;
  readonly carrierLedger: string;
  readonly postgresPort: number;
  readonly pids: Readonly<Record<Role, number>>;
}
export type Role = 'api' | 'worker' | 'dialer' | 'carrier' | 'temporal' | 'postgres' | 'agent';

export interface LedgerLine {
  /** ISO instant */
  readonly at: string;
  readonly event: string;
  readonly to?: string;
  readonly from?: string;
  readonly callId?: string;
  readonly attempt?: number;
  readonly invite?: number;
}

export interface RunningService extends Client {
  readonly ready: () => Ready;
  readonly folder: string;
  /** Where it is listed among the user's services. */
  readonly stateFolder: string;
  /** The process of `up` itself. */
  readonly pid: number;
  /** What `up` has printed so far. */
  said(): string;
  ledger(): LedgerLine[];
  stats(): Promise<{ violations: Record<string, number>; live: number }>;
  /** Sends a signal to one of its processes; `up` starts again what dies. */
  signal(role: Role, signal: NodeJS.Signals): void;
  /** Ends it as Ctrl-C does. */
  stop(): Promise<void>;
  /** kill -9 of `up` and everything it started. */
  killEverything(): Promise<void>;
  removeData(): void;
}

const program = join(import.meta.dirname, '../../dist/cli/main.js');

/** Runs `outdial up` as a user does and waits until it is ready. */
export async function runService(
  options: {
    readonly folder?: string;
    /** Of the simulated carrier. */
    readonly speed?: number;
    /** Makes real calls. */
    readonly real?: true;
    readonly env?: Readonly<Record<string, string>>;
  } = {},
): Promise<RunningService> {
  const folder = options.folder ?? temporaryFolder('e2e');
  const readyFile = join(folder, 'ready-for-test.json');
  // One that a killed service left would be believed before the new one had come to remove it.
  rmSync(readyFile, { force: true });
  const stateFolder = temporaryFolder('e2e-state');
  const args = ['up', '--port', '0', '--data', folder, '--ready-file', readyFile];
  const calls = options.real === true ? ['--provider', 'livekit'] : ['--speed', String(options.speed ?? 100)];
  const up = spawn(process.execPath, [program, ...args, ...calls], {
    env: { ...process.env, OUTDIAL_LOG_LEVEL: 'info', XDG_STATE_HOME: stateFolder, ...options.env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  up.stdout.on('data', (chunk) => (said += String(chunk)));
  up.stderr.on('data', (chunk) => (said += String(chunk)));
  const ended = new Promise<void>((resolve) => up.once('exit', () => resolve()));
  await until(() => existsSync(readyFile) || up.exitCode !== null, {
    seen: () => `outdial up, which has said:\n${said}`,
  });
  if (up.exitCode !== null) throw new Error(`outdial up ended with ${up.exitCode}:\n${said}`);

  const ready = (): Ready => readyIn(readyFile);
  const first = ready();

  return {
    ready,
    ...{ folder, stateFolder },
    pid: up.pid!,
    said: () => said,
    ...clientOf(first.apiUrl, first.token),
    ledger: () => ledgerIn(first.carrierLedger),
    stats: async () => (await (await fetch(`${first.carrierUrl}/stats`)).json()) as never,
    signal: (role, signal) => process.kill(ready().pids[role], signal),
    stop: async () => {
      up.kill('SIGINT');
      await ended;
    },
    killEverything: async () => {
      const victims = [...Object.values(ready().pids)].flatMap((pid) => [pid, ...descendantsOf(pid)]);
      up.kill('SIGKILL');
      for (const pid of victims) killIfThere(pid);
      await ended;
    },
    removeData: () => {
      for (const each of [folder, stateFolder]) rmSync(each, { recursive: true, force: true });
    },
  };
}

/** What the ready file says now. */
export function readyIn(readyFile: string): Ready {
  const read = JSON.parse(readFileSync(readyFile, 'utf8')) as Ready;
  // null: simulated calls need no agent, real ones no carrier.
  const running = Object.entries<number | null>(read.pids).filter(([, pid]) => pid !== null);
  return { ...read, pids: Object.fromEntries(running) as Ready['pids'] };
}

/** What the simulated carrier has written down so far. */
export const ledgerIn = (path: string): LedgerLine[] =>
  readFileSync(path, 'utf8')
    .split('\n')
    .filter((line) => line.endsWith('}'))
    .map((line) => JSON.parse(line) as LedgerLine);

/** A second dialer beside the one of `up`, with the same settings. Linux: it reads the first one's environment. */
export function anotherDialer(service: RunningService): ChildProcess {
  const environment = readFileSync(`/proc/${service.ready().pids.dialer}/environ`, 'utf8').split('\0');
  const env = Object.fromEntries(
    environment
      .filter((line) => line.includes('='))
      .map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
  );
  return spawn(process.execPath, [program, 'dialer'], { env: { ...env, OUTDIAL_METRICS_PORT: '0' }, stdio: 'ignore' });
}

function descendantsOf(pid: number): number[] {
  try {
    const children = execFileSync('pgrep', ['-P', String(pid)], { encoding: 'utf8' })
      .trim()
      .split('\n')
      .map(Number);
    return children.flatMap((child) => [child, ...descendantsOf(child)]);
  } catch {
    return []; // pgrep says so when there are none
  }
}

function killIfThere(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // gone already
  }
}

/** Less than any test or hook that waits may take, so that what it waited for is told. */
const mostMs = 540_000;
/** The same of tests that take long by nature. */
export const mostOfLongMs = 1_500_000;

/**
 * Waits until the condition holds.
 *
 * @param seen what there is instead, for the error
 * @throws after `withinMs`, with the text of the condition, from the place that waits
 */
export async function until(
  condition: () => boolean | Promise<boolean>,
  { seen, withinMs = mostMs }: { readonly seen?: () => string; readonly withinMs?: number } = {},
): Promise<void> {
  const late = new Error();
  Error.captureStackTrace(late, until);
  const endMs = Date.now() + withinMs;
  while (!(await condition())) {
    if (Date.now() > endMs) {
      const words = seen === undefined ? '' : `\nThere is instead: ${seen()}`;
      late.message = `Waited ${withinMs / 1000} s in vain until ${condition.toString()}${words}`;
      throw late;
    }
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

/** State of a process as Linux shows it: `T` is stopped, `Z` has ended and its parent has not been told. */
export const stateOf = (pid: number): string =>
  /\) (\w)/.exec(readFileSync(`/proc/${pid}/stat`, 'utf8'))?.[1] ?? 'gone';

/** The most memory that a process has had resident, in MiB. */
export const peakMiB = (pid: number): number =>
  Number(/VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024;

/** Processes that run with this folder on their command line or in their environment. */
export const processesOn = (folder: string): number[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => {
      try {
        return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(folder);
      } catch {
        return false; // it has ended meanwhile
      }
    });

/** An agent, a number with an outbound gateway, and a rule between them. @returns what a batch is created with */
export async function setUp(
  service: Client,
  e164 = '+15550100000',
): Promise<{ phoneNumber: string; agentId: string; ruleId: string }> {
  const agent = await service.request('POST', '/v1/agents', {
    name: 'Reminder',
    languages: { english: { prompt: 'Remind them of their appointment.' } },
  });
  if (agent.status !== 201) throw new Error(`agent: ${JSON.stringify(agent)}`);
  const agentId = String(agent.body.agentId);
  await until(async () => (await service.request('GET', `/v1/agents/${agentId}`)).body.status === 'active');
  const number = await service.request('POST', '/v2/sip/phone-numbers', {
    name: `Line ${e164}`,
    phoneNumbers: [e164],
    outbound: { address: 'sip.example.com', transport: 'udp' },
  });
  if (number.status !== 201) throw new Error(`number: ${JSON.stringify(number)}`);
  const rule = await service.request('POST', '/v2/sip/routing-rule', {
    ...{ name: `Out ${e164}`, type: 'outbound', phoneNumbers: [e164], agentId },
  });
  if (rule.status !== 201) throw new Error(`rule: ${JSON.stringify(rule)}`);
  return { phoneNumber: e164, agentId, ruleId: String(rule.body.id) };
}

/** Waits until the batch has this status. @returns the batch */
export async function batchIs(
  service: Client,
  batchId: unknown,
  status: string,
  withinMs = mostMs,
): Promise<Answer['body']> {
  let last: Answer['body'] | undefined;
  await until(
    async () => {
      last = (await service.request('GET', `/v1/batch-calls/${String(batchId)}`)).body;
      return last.status === status;
    },
    { seen: () => `a batch that is to be ${status}, as ${JSON.stringify(last)}`, withinMs },
  );
  return last!;
}

export interface ReceivedWebhook {
  readonly id: string;
  readonly body: Readonly<Record<string, unknown>>;
}

/** A receiver that takes only what the receiver's library can verify. */
export async function webhookReceiver(
  service: Client,
): Promise<{ url: string; received: ReceivedWebhook[]; close: () => void }> {
  const { body } = await service.request('GET', '/v1/account/webhook-secret');
  const verifier = new Webhook(String(body.secret));
  const received: ReceivedWebhook[] = [];
  const server: Server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      try {
        const payload = verifier.verify(Buffer.concat(chunks).toString(), request.headers as Record<string, string>);
        received.push({ id: String(request.headers['webhook-id']), body: payload as ReceivedWebhook['body'] });
        response.writeHead(204).end();
      } catch {
        response.writeHead(400).end();
      }
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The receiver has no port.');
  return { url: `http://127.0.0.1:${address.port}/hook`, received, close: () => server.close() };
}

/** `+1555` numbers whose last digit is this script of the carrier and whose last two digits differ. */
export const numbersWithScript = (script: number, count: number, start: number): string[] =>
  Array.from({ length: count }, (_, i) => `+1555${String(start + i).padStart(5, '0')}${(script + 1) % 10}${script}`);

export const csv = (numbers: readonly string[], extra: readonly string[] = []): string =>
  ['phone_number,name', ...numbers.map((number, i) => `${number},Person ${i}`), ...extra].join('\n');

/** The metrics of a process. Linux: its port is in its environment. */
export async function metricsOf(service: RunningService, role: Role): Promise<string> {
  const environment = readFileSync(`/proc/${service.ready().pids[role]}/environ`, 'utf8');
  const port = /OUTDIAL_METRICS_PORT=(\d+)/.exec(environment)?.[1];
  return (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
}

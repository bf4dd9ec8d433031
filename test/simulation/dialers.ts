import { pino } from 'pino';
import type { Dialer, startDialer } from '../../dialer/dialer.js';
import type { Carrier } from './carrier.js';
import type { Happenings } from './happenings.js';
import type { PreDialEndpoint } from './pre-dial-endpoint.js';
import type { Process, VirtualTime } from './time.js';
import type { Wire } from './wire.js';
import type { Workflows } from './workflows.js';
import { region, zoneOf } from './setting.js';

export interface RunningDialer {
  readonly process: Process;
  dialer: Dialer | null;
}

/** The dialers of a simulation, as they are started, freeze and die. */
export interface Dialers {
  readonly running: readonly RunningDialer[];
  start(skewMs: number): void;
  /** It is gone at once, as under `kill -9`. */
  kill(dialer: RunningDialer): Promise<void>;
  /** It is told to stop, and is gone when it has. */
  stop(dialer: RunningDialer): void;
}

export function createDialers(deps: {
  readonly time: VirtualTime;
  readonly happenings: Happenings;
  readonly wire: Wire;
  readonly carrier: Carrier;
  readonly worker: Process;
  readonly workflows: Workflows;
  readonly leaseSeconds: number;
  /** Asked before calls. */
  readonly endpoint: PreDialEndpoint;
  /** Whether calls need agents. */
  readonly agents: boolean;
  readonly startDialer: typeof startDialer;
}): Dialers {
  const { time, happenings, wire } = deps;
  const running: RunningDialer[] = [];
  let started = 0;

  /** A signal that Temporal takes, or that is lost on the way. */
  function tellFrom(process: Process): Workflows['tell'] {
    return (workflowId, ended) =>
      new Promise((resolve, reject) => {
        happenings.add({
          ...{ process, what: 'tell a workflow', atProcess: false },
          run: async ({ broken }) => {
            const answer =
              broken === 'before' ? null : await time.inside(deps.worker, () => deps.workflows.tell(workflowId, ended));
            happenings.add({
              ...{ process, what: 'answer of a workflow', atProcess: true },
              run: () => {
                if (broken !== null || answer === null) reject(new Error('Temporal is away'));
                else resolve(answer);
              },
            });
          },
        });
      });
  }

  async function kill(dialer: RunningDialer): Promise<void> {
    dialer.process.dead = true;
    running.splice(running.indexOf(dialer), 1);
    time.removeAllOf(dialer.process);
    happenings.removeAllOf(dialer.process);
    await wire.hangUp(dialer.process);
  }

  return {
    running,
    kill,
    start(skewMs) {
      started += 1;
      const process: Process = { name: `dialer ${started}`, skewMs, frozenUntilMs: 0, dead: false };
      const own: RunningDialer = { process, dialer: null };
      running.push(own);
      time.inside(process, () => {
        const starting = deps.startDialer({
          database: wire.open(process, 6),
          provider: deps.carrier.providerFor(process),
          openSecret: (sealed) => sealed,
          fetchOutside: deps.endpoint.outsideOf(process),
          zonesOfNumber: (e164) => [zoneOf(e164)],
          tell: tellFrom(process),
          logger: pino({ level: 'silent' }),
          leaseSeconds: deps.leaseSeconds,
          agentRegions: deps.agents ? [region] : [],
        });
        // One that cannot register itself is a process that ends.
        starting.then(
          (dialer) => void (own.dialer = dialer),
          () => void kill(own),
        );
      });
    },
    stop(dialer) {
      const { process, dialer: works } = dialer;
      if (works === null) return;
      const gone = () => void kill(dialer);
      time.inside(process, () => void works.close().then(gone, gone));
    },
  };
}

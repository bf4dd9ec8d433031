import {
  aboutHours,
  type Bound,
  type Capacity,
  capacityOf,
  hoursOf,
  type Installation,
  measured,
} from '../../domain/capacity.js';
import { type Finding, ok, warning } from './finding.js';

/** A list of numbers whose time is told. */
export interface Example {
  readonly numbers: number;
  /** That each keeps a line, on average, ringing included. */
  readonly seconds: number;
}

const counted = (count: number, one: string, many = `${one}s`): string =>
  `${count.toLocaleString('en-US')} ${count === 1 ? one : many}`;

const bounds: Readonly<Record<Bound, string>> = {
  lines: 'the lines of the trunks are the bound',
  pace: 'the calls per second of the trunks are the bound',
  agents: 'agents are the bound',
  cores: 'the cores of this machine are the bound',
};

const remedies: Readonly<Record<Bound, string>> = {
  lines: 'More lines: ask the carrier, then raise maxConcurrentCalls of the gateway, or add a gateway.',
  pace: 'A quicker pace: ask the carrier, then raise callsPerSecond of the gateway, or add a gateway.',
  agents: 'More agents: OUTDIAL_AGENT_SLOTS, or another agent worker (docs/scaling.md has the sums).',
  cores: 'More cores, or agent workers on other machines (docs/scaling.md has the sums).',
};

/** What this installation carries, which limit is reached first, and how long a list of numbers takes. */
export function capacityFinding(installation: Installation, { numbers, seconds }: Example): Finding {
  const { gateways, agentSlots, cores } = installation;
  const capacity = capacityOf(installation, seconds);
  const hours = hoursOf(numbers, capacity, seconds);
  const figures = { ...capacity, gateways: gateways.length, cores, numbers, secondsEach: seconds, hours };
  if (hours === null) {
    const why = agentSlots === 0 ? 'no agent worker offers a slot now' : 'no gateway takes calls now';
    return { ...warning('capacity', `0 calls at once: ${why}`, remedies[capacity.bound]), figures };
  }
  const means = [
    `${counted(capacity.byLines, 'call')} at once by ${counted(gateways.length, 'gateway')}`,
    `${capacity.callsPerSecond} a second`,
    agentSlots === null ? 'agents are simulated' : counted(agentSlots, 'agent slot'),
    ...(cores === null || agentSlots === null ? [] : [coresIn(agentSlots, cores)]),
  ];
  const list = `${counted(numbers, 'number')} of ${seconds} s take about ${aboutHours(hours)}`;
  const words = `${means.join(', ')}: ${bounds[capacity.bound]}; ${list}${noteOf(capacity, gateways.length)}`;
  return { ...ok('capacity', words), remedy: remedies[capacity.bound], figures };
}

const coresIn = (slots: number, cores: number): string =>
  `${counted(cores, 'core')} here, of which talking agents take ${Number((slots * measured.coresOfConversation).toFixed(1))}`;

/** A batch call goes by the gateways of its number alone. */
const noteOf = ({ bound }: Capacity, gateways: number): string =>
  gateways > 1 && (bound === 'lines' || bound === 'pace') ? ', over all gateways' : '';

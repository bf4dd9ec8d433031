import { join } from 'node:path';
import { localAccounts, signInAddress } from './access.js';
import { isLoopback } from './addresses.js';
import type { Ready } from './ready.js';

/** The message that `up` prints when the service has started. */
export function welcome(
  ready: Ready,
  {
    folder,
    speed,
    host = '127.0.0.1',
    account = localAccounts.user,
  }: {
    folder: string;
    speed: number;
    host?: string;
    /** Whose console the printed address opens. */
    account?: (typeof localAccounts)[keyof typeof localAccounts];
  },
): string[] {
  const real = ready.provider === 'livekit';
  const address = signInAddress({ folder, apiUrl: ready.apiUrl }, account);
  return [
    '',
    real
      ? 'Outdial is ready. Calls are real: telephones ring, and carrier and models cost money.'
      : 'Outdial is ready. Calls are simulated: no telephone rings.',
    '',
    ...(address === undefined
      ? [`  Console       ${ready.apiUrl}/console`]
      : [
          `  Console       ${address}`,
          '                signs in once, within 10 minutes; `outdial console` prints another address',
        ]),
    `  API           ${ready.apiUrl}`,
    `  Reference     ${ready.docsUrl}`,
    ...(ready.temporalUiUrl === null ? [] : [`  Temporal UI   ${ready.temporalUiUrl}`]),
    `  Token         in ${join(folder, 'ready.json')}; send it as it is in the Authorization header`,
    `  Logs          ${join(folder, 'logs')}`,
    '',
    ...(real ? realCalls(ready) : simulatedCalls(speed)),
    isLoopback(host)
      ? 'Webhooks, tools and knowledge bases may use http:// and this machine, which a production service refuses.'
      : `The API listens on ${host}: others reach it, so webhooks, tools and knowledge bases use https:// and public addresses only.`,
    `Ctrl-C stops everything; ${folder} keeps the data.`,
  ];
}

const simulatedCalls = (speed: number): string[] => [
  `The simulated carrier runs ${speed} times as fast as real time and new gateways start at 50 calls per second.`,
];

const realCalls = ({ apiUrl }: Ready): string[] => [
  'Next: docs/first-real-call.md has every command from a number to a telephone that rings; `outdial doctor` checks trunks and agents.',
  `A LiveKit that names ${apiUrl}/livekit/webhook in its config tells of ends at once; without, they are noticed up to 15 s later.`,
];

import { join } from 'node:path';
import type { Ready } from './ready.js';

/** What a person needs to know of a service that has just started. */
export function welcome(ready: Ready, { folder, speed }: { folder: string; speed: number }): string[] {
  return [
    '',
    'Outdial is ready. Calls are simulated: no telephone rings.',
    '',
    `  API           ${ready.apiUrl}`,
    `  Reference     ${ready.docsUrl}`,
    ...(ready.temporalUiUrl === null ? [] : [`  Temporal UI   ${ready.temporalUiUrl}`]),
    `  Token         in ${join(folder, 'ready.json')}; send it as it is in the Authorization header`,
    `  Logs          ${join(folder, 'logs')}`,
    '',
    `The simulated carrier runs ${speed} times as fast as real time and new gateways start at 50 calls per second.`,
    'Webhooks may go to http:// and to this machine, which a production service refuses.',
    `Ctrl-C stops everything; ${folder} keeps the data.`,
  ];
}

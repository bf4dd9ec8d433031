import type { ClientFlags } from '../../commands/service-options.js';
import { clientOf } from '../client.js';
import { printDone } from '../output.js';

/** `outdial dialing stop` */
export async function stopDialing(flags: ClientFlags & { readonly hangUp?: true }): Promise<void> {
  const hangUp = flags.hangUp === true;
  const answer = await (await clientOf(flags)).ask('account.stopDialing', { json: { hangUp } });
  const calls = hangUp ? 'Live calls are being hung up.' : 'Live calls go on; --hang-up ends them.';
  printDone(`Nothing of the account is dialed until: outdial dialing resume. ${calls}`, answer, '', flags);
}

/** `outdial dialing resume` */
export async function resumeDialing(flags: ClientFlags): Promise<void> {
  const answer = await (await clientOf(flags)).ask('account.resumeDialing', { json: {} });
  printDone('The account dials again. Batch calls that were paused stay paused.', answer, '', flags);
}

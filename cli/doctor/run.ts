import type { ClientFlags } from '../commands/service-options.js';
import { CommandFailed, exitCodes } from '../client/exit-codes.js';
import { printLines, printRows } from '../client/output.js';
import type { Example } from './capacity.js';
import { installationFindings } from './installation.js';
import { linesOf } from './print.js';
import { serviceFindings } from './service.js';

/**
 * `outdial doctor`: looks at the service from outside and, where its settings are, at what it stands on.
 *
 * @throws CommandFailed if a check has failed
 */
export async function runDoctor(flags: ClientFlags & Example): Promise<void> {
  const outside = await serviceFindings(flags, flags);
  const inside = flags.profile === undefined ? await installationFindings(flags.data) : [];
  const findings = [...inside, ...outside];
  if (flags.output === 'table' && flags.quiet !== true)
    printLines(findings.flatMap((finding) => linesOf(finding, process.stdout)));
  else {
    const columns = { Check: 'check', State: 'state', Message: 'message', Remedy: 'remedy' };
    printRows(
      findings.map((finding) => ({ ...finding })),
      { id: 'check', columns },
      flags,
    );
  }
  const count = findings.filter(({ state }) => state === 'failed').length;
  if (count > 0) throw new CommandFailed(exitCodes.failed, `${count} of ${findings.length} checks have failed.`);
}

import type { ClientFlags } from '../commands/service-options.js';
import type { ServiceFlags } from '../client/connection.js';
import { CommandFailed, exitCodes } from '../client/exit-codes.js';
import { printLines, printRows } from '../client/output.js';
import type { Example } from './capacity.js';
import type { Finding } from './finding.js';
import { installationFindings } from './installation.js';
import { linesOf } from './print.js';
import { serviceFindings } from './service.js';

/**
 * `outdial doctor`: looks at the service from outside and, where its settings are, at what it stands on.
 *
 * @throws CommandFailed if a check has failed
 */
export async function runDoctor(flags: ClientFlags & Example): Promise<void> {
  const findings = await allFindings(flags);
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

/** Asks all parts at once: of several that are silent, a person waits for one. */
export async function allFindings(flags: ServiceFlags & Example): Promise<readonly Finding[]> {
  const [inside, outside] = await Promise.all([
    flags.profile === undefined ? installationFindings(flags.data) : [],
    serviceFindings(flags, flags),
  ]);
  return [...inside, ...outside];
}

import { join } from 'node:path';
import { writeFileSync } from 'node:fs';
import { type Child, startChild } from '../../embedded/child.js';
import { freePort } from '../../embedded/free-port.js';
import { logFolder } from './logs.js';
import { program } from './programs.js';
import { readSipLog, type SipMessage } from './sip-log.js';

export interface Sipp {
  readonly child: Child;
  /** Every message sent and received so far, in order. */
  messages(): readonly SipMessage[];
  /** Where its scenario, messages and errors are. */
  readonly folder: string;
  kill(): Promise<void>;
}

/**
 * Runs a scenario.
 * @param args what the command line says beyond that
 */
export async function startSipp(name: string, scenario: string, args: readonly string[]): Promise<Sipp> {
  const folder = logFolder(name);
  const [file, log] = [join(folder, 'scenario.xml'), join(folder, 'messages.log')];
  writeFileSync(file, scenario);
  const [control, media] = await Promise.all([freePort(), freePort()]);
  const child = await startChild({
    command: program('SIPP_BIN'),
    args: [
      ...['-sf', file, '-i', '127.0.0.1', '-mi', '127.0.0.1', '-mp', String(media), '-cp', String(control)],
      ...['-trace_msg', '-message_file', log, '-trace_err', '-error_file', join(folder, 'errors.log')],
      ...['-nostdin', '-f', '3600', '-skip_rlimit', ...args],
    ],
    cwd: folder,
    env: { ...process.env, TERM: 'xterm' },
    logFile: join(folder, 'screen.log'),
  });
  return {
    ...{ child, folder },
    messages: () => readSipLog(log),
    async kill() {
      if (!child.isOver()) process.kill(child.pid, 'SIGKILL');
      await child.exited;
    },
  };
}

import { join } from 'node:path';
import { existsSync, statSync, writeFileSync } from 'node:fs';
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
  let read: { size: number; messages: readonly SipMessage[] } = { size: 0, messages: [] };
  return {
    ...{ child, folder },
    messages() {
      // It is asked for many times a second, and seldom has anything new.
      const size = existsSync(log) ? statSync(log).size : 0;
      if (size !== read.size) read = { size, messages: readSipLog(log) };
      return read.messages;
    },
    async kill() {
      if (!child.isOver()) process.kill(child.pid, 'SIGKILL');
      await child.exited;
    },
  };
}

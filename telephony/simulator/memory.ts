import { createReadStream } from 'node:fs';
import type { AttemptKey } from '../../domain/call/attempt-key.js';
import type { Ledger, LedgerLine } from './ledger.js';
import { legKey } from './wire.js';

/** Legs that are not live: enough to answer questions about them, small enough for hundreds of thousands. */
export interface Memory {
  /** Key of a leg that is over → offset of its last line in the ledger. */
  readonly over: Map<string, number>;
  /** Keys that were promised never to be dialed. */
  readonly fenced: Set<string>;
  /** `<callId>_<attempt>` of attempts that the script of …6 has told 503. */
  readonly unavailable: Set<string>;
}

export const attemptKey = (ref: AttemptKey): string => `${ref.callId}_${ref.attempt}`;

export const emptyMemory = (): Memory => ({ over: new Map(), fenced: new Set(), unavailable: new Set() });

interface OpenLeg {
  readonly invite: LedgerLine;
  rang: boolean;
  answered?: LedgerLine;
}

/**
 * Rebuilds the memory from the ledger of earlier runs. Legs that those runs carried ended with them, as in a box that
 * lost its power: each gets its `ended` line now.
 *
 * @param seen told every line, in order
 */
export async function rememberLedger(ledger: Ledger, at: string, seen: (line: LedgerLine) => void): Promise<Memory> {
  const memory = emptyMemory();
  const open = new Map<string, OpenLeg>();
  for await (const { line, offset } of linesOf(ledger.path)) {
    seen(line);
    recall(memory, open, line, offset);
  }
  for (const [key, leg] of open) {
    const line: LedgerLine = {
      ...leg.invite,
      at,
      event: 'ended',
      how: leg.answered ? 'ended' : 'unknown',
      rang: leg.rang,
      reason: 'carrier_restarted',
      ...(leg.answered && { answeredAt: leg.answered.at, answeredBy: leg.answered.answeredBy, sipStatusCode: 200 }),
    };
    memory.over.set(key, ledger.append(line));
    seen(line);
  }
  return memory;
}

function recall(memory: Memory, open: Map<string, OpenLeg>, line: LedgerLine, offset: number): void {
  const { callId, attempt, invite } = line;
  if (callId === undefined || attempt === undefined || invite === undefined) return;
  const key = legKey({ callId, attempt, invite });
  const leg = open.get(key);
  switch (line.event) {
    case 'invite':
      // A repeated INVITE, a violation, must not reopen what is over.
      if (!memory.over.has(key) && !leg) open.set(key, { invite: line, rang: false });
      return;
    case 'ringing':
      if (leg) leg.rang = true;
      return;
    case 'answered':
      if (leg) leg.answered = line;
      return;
    case 'ended':
    case 'rejected':
      if (line.reason === 'repeated') return;
      if (line.reason === 'scripted_unavailable') memory.unavailable.add(attemptKey({ callId, attempt }));
      open.delete(key);
      memory.over.set(key, offset);
      return;
    case 'fenced':
      memory.fenced.add(key);
      return;
    case 'refer':
    case 'refer_failed':
    case 'target_invite':
    case 'target_answered':
    case 'target_joined':
    case 'target_ended':
    case 'refused':
    case 'violation':
    case 'started':
      return;
  }
}

async function* linesOf(path: string): AsyncGenerator<{ line: LedgerLine; offset: number }> {
  let rest = Buffer.alloc(0);
  let offset = 0;
  for await (const chunk of createReadStream(path, { highWaterMark: 1 << 20 })) {
    const bytes = Buffer.concat([rest, chunk as Buffer]);
    let from = 0;
    for (let end = bytes.indexOf(10, from); end !== -1; end = bytes.indexOf(10, from)) {
      const line = parsed(bytes.toString('utf8', from, end));
      if (line) yield { line, offset };
      offset += end + 1 - from;
      from = end + 1;
    }
    rest = bytes.subarray(from);
  }
}

/**
 * A line, or undefined for what a crash left of one. Not validated beyond that: this process's own format, a million
 * lines at a start.
 */
function parsed(text: string): LedgerLine | undefined {
  try {
    return JSON.parse(text) as LedgerLine;
  } catch {
    return undefined;
  }
}

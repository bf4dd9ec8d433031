import { existsSync, readFileSync } from 'node:fs';

/** A SIP message as it went over the wire. */
export interface SipMessage {
  readonly at: Date;
  /** `in`: the sipp whose log this is has received it. */
  readonly direction: 'in' | 'out';
  /** Request line or status line. */
  readonly firstLine: string;
  /** `INVITE`, …; of a response `200`, … */
  readonly name: string;
  /** By name in lower case; the first if there are several. */
  readonly headers: Readonly<Record<string, string>>;
  readonly callId: string;
  readonly body: string;
}

/** An INVITE that has come in. */
export interface Invite extends SipMessage {
  /** User part of the Request-URI, as it was dialed. */
  readonly to: string;
  /** User part of From. */
  readonly from: string;
  /** UDP port at which the other end wants its audio. */
  readonly audioPort: number | undefined;
}

const divider = /^-{20,} (\d{4}-\d\d-\d\d[T\s]\d\d:\d\d:\d\d\.\d+).*$/m;

function parse(at: string, text: string): SipMessage | null {
  const found = /^\w+ message (received|sent)[^\n]*:\s*\n\s*\n?([\s\S]*)$/m.exec(text);
  if (found?.[2] === undefined) return null;
  const [head = '', body = ''] = found[2].replaceAll('\r', '').split(/\n\n([\s\S]*)/);
  const [firstLine = '', ...lines] = head.split('\n');
  const headers: Record<string, string> = {};
  for (const line of lines) {
    const [, name = '', value = ''] = /^([^:]+):\s*(.*)$/.exec(line) ?? [];
    if (name !== '') headers[name.toLowerCase()] ??= value;
  }
  const [first = '', second = ''] = firstLine.split(' ');
  return {
    at: new Date(at.replace(/\s/, 'T').replace(/(\.\d{3})\d*/, '$1')),
    direction: found[1] === 'received' ? 'in' : 'out',
    ...{ firstLine, headers, body, callId: headers['call-id'] ?? '' },
    name: first.startsWith('SIP/') ? second : first,
  };
}

/** Reads sipp's message log (-trace_msg), in order. Nothing if it has not been written yet. */
export function readSipLog(file: string): readonly SipMessage[] {
  if (!existsSync(file)) return [];
  const [, ...parts] = readFileSync(file, 'utf8').split(divider);
  const messages: SipMessage[] = [];
  for (let at = 0; at + 1 < parts.length; at += 2) {
    const message = parse(parts[at] ?? '', parts[at + 1] ?? '');
    if (message !== null) messages.push(message);
  }
  return messages;
}

const userOf = (uri: string): string => /sips?:([^@;>]+)@/.exec(uri)?.[1] ?? '';

/** UDP port of the first audio stream of an SDP. */
export function audioPortOf({ body }: Pick<SipMessage, 'body'>): number | undefined {
  const port = /^m=audio (\d+)/m.exec(body)?.[1];
  return port === undefined ? undefined : Number(port);
}

export const asInvite = (message: SipMessage): Invite => ({
  ...message,
  to: userOf(message.firstLine),
  from: userOf(message.headers.from ?? ''),
  audioPort: audioPortOf(message),
});

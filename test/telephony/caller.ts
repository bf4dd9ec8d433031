import { vi } from 'vitest';
import { freePort } from '../../embedded/free-port.js';
import { type Hearing, openEar } from './rtp-ear.js';
import { audioPortOf, type SipMessage } from './sip-log.js';
import { nudge, nudgeMethod } from './nudge.js';
import { type Sipp, startSipp } from './sipp.js';

/** A caller. */
export interface CallOrder {
  /** `host:port` that takes the call: `127.0.0.1:${stack.sip.sipPort}`. */
  readonly at: string;
  readonly to: string;
  readonly from: string;
  /** Host that its From header claims; left out: where it really is. */
  readonly fromHost?: string;
  readonly transport?: 'udp' | 'tcp';
  /** Header lines of the INVITE. */
  readonly headers?: readonly string[];
  readonly credentials?: { readonly username: string; readonly password: string };
  /** Milliseconds from the answer until the caller hangs up; left out: it waits for the other end to. */
  readonly hangsUpAfterMs?: number;
}

export interface PhoneCall {
  readonly callId: string;
  /** Resolves with the final response to the INVITE: 200, 486, … @throws where none comes within `limitMs` (default 30 s) */
  final(limitMs?: number): Promise<number>;
  /** The audio of the call, once it is answered. */
  hearing(): Hearing;
  /** Hangs up an answered call. By UDP only. */
  hangUp(): void;
  /** Resolves when the call is over, with who ended it. */
  readonly over: Promise<'refused' | 'we hung up' | 'they hung up'>;
  messages(): readonly SipMessage[];
  /** Ends what still goes on. */
  close(): Promise<void>;
}

const refusals = [
  ...[300, 301, 302, 400, 402, 403, 404, 405, 406, 408, 410, 415, 420, 422, 480, 481, 482, 483, 484, 485, 486, 487],
  ...[488, 491, 500, 501, 502, 503, 504, 600, 603, 604, 606, 607, 608],
];

const text = (lines: readonly string[]): string => `<![CDATA[\n\n${lines.join('\n')}\n\n]]>`;

function scenarioOf(order: CallOrder, audioPort: number): string {
  const { to, from, at, transport = 'udp', headers = [], credentials, hangsUpAfterMs = 3_600_000 } = order;
  const fromHost = order.fromHost ?? '127.0.0.1:[local_port]';
  const me = `<sip:${from}@127.0.0.1:[local_port];transport=${transport}>`;
  /** A CANCEL has that of the INVITE. */
  const viaOf = (cseq: number): string =>
    `Via: SIP/2.0/[transport] 127.0.0.1:[local_port];branch=z9hG4bKi${cseq}p[pid]n[call_number]`;
  const invite = (cseq: number, more: readonly string[]): string =>
    text([
      `INVITE sip:${to}@${at};transport=${transport} SIP/2.0`,
      ...[viaOf(cseq), 'Max-Forwards: 70'],
      ...[`From: <sip:${from}@${fromHost}>;tag=f[pid]n[call_number]`, `To: <sip:${to}@${at}>`],
      ...['Call-ID: [call_id]', `CSeq: ${cseq} INVITE`, `Contact: ${me}`, ...more, ...headers],
      ...['Content-Type: application/sdp', 'Content-Length: [len]', ''],
      ...['v=0', 'o=caller 1 1 IN IP4 127.0.0.1', 's=-', 'c=IN IP4 127.0.0.1', 't=0 0'],
      ...[`m=audio ${audioPort} RTP/AVP 0 101`, 'a=rtpmap:0 PCMU/8000'],
      ...['a=rtpmap:101 telephone-event/8000', 'a=fmtp:101 0-15', 'a=sendrecv', 'a=ptime:20'],
    ]);
  const within = (method: string, cseq: string): string =>
    text([
      `${method} [$target] SIP/2.0`,
      ...['Via: SIP/2.0/[transport] 127.0.0.1:[local_port];branch=[branch]', 'Max-Forwards: 70'],
      ...[`From: <sip:${from}@${fromHost}>;tag=f[pid]n[call_number]`, 'To:[$to]'],
      ...['Call-ID: [call_id]', `CSeq: ${cseq} ${method}`, `Contact: ${me}`, 'Content-Length: 0'],
    ]);
  const toRefusal = (cseq: string): string =>
    text([
      ...[`ACK sip:${to}@${at} SIP/2.0`, '[last_Via:]', '[last_From:]', '[last_To:]', '[last_Call-ID:]'],
      ...[`CSeq: ${cseq} ACK`, 'Max-Forwards: 70', 'Content-Length: 0'],
    ]);
  const giveUp = (cseq: number): string => `<label id="cancel${cseq}"/>
    <send>${text([
      `CANCEL sip:${to}@${at};transport=${transport} SIP/2.0`,
      ...[viaOf(cseq), 'Max-Forwards: 70', `From: <sip:${from}@${fromHost}>;tag=f[pid]n[call_number]`],
      ...[`To: <sip:${to}@${at}>`, 'Call-ID: [call_id]', `CSeq: ${cseq} CANCEL`, 'Content-Length: 0'],
    ])}</send>
    <recv response="200" optional="true"/>
    <recv response="481" optional="true" next="over"/>
    <recv response="487" timeout="${unansweredMs}" ontimeout="over" next="refused"/>`;
  const answers = (challenged: boolean): string => `
    <recv request="${nudgeMethod}" optional="true" next="cancel${challenged ? 2 : 1}"/>
    ${[100, 180, 183].map((code) => `<recv response="${code}" optional="true"/>`).join('\n')}
    ${refusals.map((code) => `<recv response="${code}" optional="true" next="refused"/>`).join('\n')}
    ${[401, 407].map((code) => `<recv response="${code}" optional="true" ${challenged ? 'next="refused"' : 'auth="true" next="challenged"'}/>`).join('\n')}
    <recv response="200" next="answered"><action>
      <ereg regexp=".*" search_in="hdr" header="To:" assign_to="to"/>
      <ereg regexp="sips?:[^&gt;]*" search_in="hdr" header="Contact:" assign_to="target"/>
    </action></recv>`;
  const reply = (status: string): string =>
    text([
      ...[`SIP/2.0 ${status}`, '[last_Via:]', '[last_From:]', '[last_To:]', '[last_Call-ID:]', '[last_CSeq:]'],
      ...[`Contact: ${me}`, 'Content-Length: 0'],
    ]);
  const second =
    credentials === undefined
      ? '<label id="challenged"/><nop next="refused"/>'
      : `<label id="challenged"/>
         <send>${toRefusal('1')}</send>
         <send retrans="500">${invite(2, [`[authentication username=${credentials.username} password=${credentials.password}]`])}</send>
         ${answers(true)}`;
  return `<?xml version="1.0" encoding="ISO-8859-1" ?>
<!DOCTYPE scenario SYSTEM "sipp.dtd">
<scenario name="caller">
<send retrans="500">${invite(1, [])}</send>
${answers(false)}
${second}
${giveUp(1)}
${credentials === undefined ? '' : giveUp(2)}
<label id="answered"/>
<send>${within('ACK', '[cseq]')}</send>
<recv request="${nudgeMethod}" optional="true" timeout="${hangsUpAfterMs}" ontimeout="bye" next="bye"/>
<recv request="REFER" optional="true" timeout="${hangsUpAfterMs}" ontimeout="bye" next="referred"/>
<recv request="BYE" timeout="${hangsUpAfterMs}" ontimeout="bye" next="hung_up"/>
<label id="referred"/>
<pause milliseconds="${networkMs}"/>
<send>${reply('202 Accepted')}</send>
<label id="bye"/>
<send retrans="500">${within('BYE', '30')}</send>
<recv response="200" next="over"/>
<label id="hung_up"/>
<send next="over">${reply('200 OK')}</send>
<label id="refused"/>
<send>${toRefusal('[last_cseq_number]')}</send>
<label id="over"/>
<timewait milliseconds="500"/>
<Reference variables="to,target"/>
</scenario>
`;
}

/** Whom LiveKit does not let in it does not answer, not even a CANCEL. */
const unansweredMs = 2_000;
/** As far away as a network is (carrier-scenario.ts). */
const networkMs = 30;
const watchMs = 20;
let made = 0;

/** Calls, and says nothing until its `hearing` is told to. A REFER is taken, and ends the call from this side. */
export async function placeCall(order: CallOrder): Promise<PhoneCall> {
  const ear = await openEar();
  const port = await freePort();
  const callId = `caller-${process.pid}-${++made}@127.0.0.1`;
  const sipp: Sipp = await startSipp('caller', scenarioOf(order, ear.port), [
    ...[order.at, '-m', '1', '-p', String(port), '-cid_str', callId],
    ...['-t', order.transport === 'tcp' ? 't1' : 'u1'],
  ]);

  let hearing: Hearing | undefined;
  const timer = setInterval(() => {
    const answer = answerIn(sipp.messages());
    const audioPort = answer === undefined ? undefined : audioPortOf(answer);
    if (audioPort !== undefined && hearing === undefined) hearing = ear.open(audioPort);
  }, watchMs);

  const over = sipp.child.exited.then(() => {
    clearInterval(timer);
    const messages = sipp.messages();
    if (answerIn(messages) === undefined) return 'refused' as const;
    const theirs = messages.some(({ direction, name }) => direction === 'in' && name === 'BYE');
    return theirs ? ('they hung up' as const) : ('we hung up' as const);
  });

  return {
    ...{ callId, over },
    messages: () => sipp.messages(),
    final: (limitMs = 30_000) =>
      vi.waitFor(
        () => {
          const challenged = order.credentials === undefined ? '' : '1 INVITE';
          const last = sipp.messages().findLast((each) => isFinal(each) && each.headers.cseq !== challenged);
          if (last === undefined) throw new Error(`no final response to the INVITE; see ${sipp.folder}`);
          return Number(last.name);
        },
        { timeout: limitMs, interval: watchMs },
      ),
    hearing() {
      if (hearing === undefined) throw new Error('The call is not answered.');
      return hearing;
    },
    hangUp() {
      if (order.transport === 'tcp') throw new Error('A caller by TCP hangs up after the time it was given.');
      nudge(port, callId);
    },
    async close() {
      clearInterval(timer);
      await sipp.kill();
      await ear.close();
    },
  };
}

/** A final response to an INVITE. */
const isFinal = ({ direction, name, headers }: SipMessage): boolean =>
  direction === 'in' && /^[2-6]\d\d$/.test(name) && (headers.cseq ?? '').endsWith('INVITE');

const answerIn = (messages: readonly SipMessage[]): SipMessage | undefined =>
  messages.find((message) => isFinal(message) && message.name === '200');

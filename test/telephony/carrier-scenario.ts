import { nudgeMethod } from './nudge.js';

/** What the carrier does with a call to a number. Everything left out: it says 100 and then nothing, until it is cancelled. */
export interface Play {
  /** Not even a 100. */
  readonly mute?: true;
  /** Provisional response, sent right after the 100. */
  readonly rings?: 180 | 183;
  /** Milliseconds until the final response, where `carrier.goOn` does not bring it sooner; default 100. */
  readonly afterMs?: number;
  /** The final response; left out: none ever. 200 answers. */
  readonly finally?: number;
  /** Reason phrase of the final response; left out: `Refused`. */
  readonly phrase?: string;
  /** Header lines of the final response. */
  readonly headers?: readonly string[];
  /** After an answer: milliseconds until the callee hangs up; left out: the callee waits for the other end to, or for `carrier.goOn`. */
  readonly hangsUpAfterMs?: number;
  /** Media section of the answer's SDP, `[port]` standing for the ear's; left out: G.711 µ-law and telephone events. */
  readonly media?: readonly string[];
  /** Response to a REFER; left out: 202. */
  readonly referAnswer?: number;
  /** Milliseconds until a NOTIFY says how the transfer went; left out: at once. */
  readonly referAfterMs?: number;
  /** What the target of a REFER does (one with `busy` in its name is busy), by the status that a NOTIFY reports; left out: 200, and the callee's leg ends. */
  readonly referEnds?: number;
}

export interface CarrierBook {
  /** By number as it is dialed (with or without +). A list is a play for each INVITE to the number, the last for all further ones. */
  readonly plays: Readonly<Record<string, Play | readonly Play[]>>;
  /** For every other number; left out: 404. */
  readonly otherwise?: Play;
  /** Every INVITE must carry these (digest); a wrong password is challenged again. */
  readonly credentials?: {
    readonly username: string;
    readonly password: string;
    /** Default 401. 407 asks as a proxy does, and takes any password of the user: sipp checks those of 401 alone. */
    readonly status?: 401 | 407;
  };
  /** Port of the ear, for the SDP. */
  readonly audioPort: number;
  /** Of the Contact; the port where the other end reaches this carrier. */
  readonly contact: { readonly port: number; readonly transport: string };
}

const message = (lines: readonly string[]): string => `<![CDATA[\n\n${lines.join('\n')}\n\n]]>`;

const usualMedia = [
  ...['m=audio [port] RTP/AVP 0 101', 'a=rtpmap:0 PCMU/8000'],
  ...['a=rtpmap:101 telephone-event/8000', 'a=fmtp:101 0-15', 'a=sendrecv', 'a=ptime:20'],
];

function bodyOf(media: readonly string[], audioPort: number): readonly string[] {
  return [
    ...['Content-Type: application/sdp', 'Content-Length: [len]', ''],
    ...['v=0', 'o=carrier 1 1 IN IP4 127.0.0.1', 's=-', 'c=IN IP4 127.0.0.1', 't=0 0'],
    ...media.map((line) => line.replace('[port]', String(audioPort))),
  ];
}

const nothing = ['Content-Length: 0'];
const networkMs = 30;

/**
 * One sipp scenario for the whole book: it branches on the number in the Request-URI, and on which INVITE to it this is.
 * Waiting is done by receiving with a time limit, so that a CANCEL or BYE is met whenever it comes.
 */
export function carrierScenario({ plays, otherwise, credentials, audioPort, contact }: CarrierBook): string {
  const numbers = Object.entries(plays).map(([number, play], index) => ({
    ...{ number, index, list: Array.isArray(play) ? (play as readonly Play[]) : [play as Play] },
  }));
  // Numbers that are answered alike share a part: sipp reads no scenario above 64 KiB.
  const plots = [...new Set(numbers.flatMap(({ list }) => list.map((play) => JSON.stringify(play))))];
  const plotOf = (play: Play | undefined): number => plots.indexOf(JSON.stringify(play));
  const contactLine = `Contact: <sip:carrier@127.0.0.1:${contact.port};transport=${contact.transport}>`;

  /** A response to the INVITE, whatever came since. */
  const response = (status: string, more: readonly string[], attributes = ''): string => {
    const head = [`SIP/2.0 ${status}`, 'Via:[$via]', 'From:[$from]', 'To:[$to];tag=c[pid]n[call_number]'];
    return `<send ${attributes}>${message([...head, 'Call-ID: [call_id]', 'CSeq:[$cseq]', contactLine, ...more])}</send>`;
  };
  /** A response to the request that has just come. */
  const okay = (status: string, attributes = ''): string =>
    `<send ${attributes}>${message([`SIP/2.0 ${status}`, '[last_Via:]', '[last_From:]', '[last_To:]', '[last_Call-ID:]', '[last_CSeq:]', contactLine, ...nothing])}</send>`;
  const request = (method: string, cseq: number, more: readonly string[], attributes = ''): string =>
    `<send ${attributes}>${message([
      `${method} [$target] SIP/2.0`,
      'Via: SIP/2.0/[transport] 127.0.0.1:[local_port];branch=[branch]',
      'From:[$to];tag=c[pid]n[call_number]',
      'To:[$from]',
      'Call-ID: [call_id]',
      `CSeq: ${cseq} ${method}`,
      contactLine,
      'Max-Forwards: 70',
      ...more,
    ])}</send>`;

  const part = (id: string, play: Play): string => {
    const { mute, rings, afterMs = 100, finally: last, phrase = 'Refused', headers = [], hangsUpAfterMs } = play;
    const limit = (ms: number | undefined, label: string): string =>
      ms === undefined ? '' : `timeout="${Math.max(1, ms)}" ontimeout="${label}_${id}"`;
    const lines = [`<label id="play_${id}"/>`];
    if (mute !== true) lines.push(response('100 Trying', nothing));
    if (rings !== undefined)
      lines.push(response(`${rings} ${rings === 180 ? 'Ringing' : 'Session Progress'}`, nothing));
    const ends = mute === true ? undefined : last;
    const wait = limit(ends === undefined ? 3_600_000 : afterMs, 'final');
    if (ends !== undefined) lines.push(`<recv request="${nudgeMethod}" optional="true" ${wait} next="final_${id}"/>`);
    lines.push(`<recv request="CANCEL" ${wait} next="cancelled"/>`);
    lines.push(`<label id="final_${id}"/>`);
    if (last !== undefined && last >= 300) {
      lines.push(response(`${last} ${phrase}`, [...headers, ...nothing], 'retrans="500" next="acknowledged"'));
    } else if (last !== undefined) {
      lines.push(response(`${last} OK`, [...headers, ...bodyOf(play.media ?? usualMedia, audioPort)], 'retrans="500"'));
      lines.push(`<label id="ack_${id}"/>`);
      lines.push(`<recv request="CANCEL" optional="true" next="crossed_${id}"/>`);
      lines.push(`<recv request="ACK"/>`);
      lines.push(`<label id="talk_${id}"/>`);
      const talk = limit(hangsUpAfterMs ?? 3_600_000, 'bye');
      lines.push(`<recv request="${nudgeMethod}" optional="true" ${talk} next="bye_${id}"/>`);
      lines.push(`<recv request="REFER" optional="true" ${talk} next="refer_${id}"><action>
        <ereg regexp="busy" search_in="hdr" header="Refer-To:" assign_to="toBusy"/></action></recv>`);
      lines.push(`<recv request="BYE" ${talk} next="hung_up"/>`);
      lines.push(`<label id="bye_${id}"/>`);
      lines.push(request('BYE', 20, nothing, 'retrans="500"'));
      lines.push(`<recv request="BYE" optional="true" next="hung_up"/>`, `<recv response="200" next="over"/>`);
      lines.push(`<label id="crossed_${id}"/>`, okay('200 OK', `next="ack_${id}"`));
      const { referAnswer = 202, referEnds = 200, referAfterMs } = play;
      // Nothing is as near as loopback: LiveKit SIP takes an answer for none that comes before it waits for one.
      lines.push(`<label id="refer_${id}"/>`, `<pause milliseconds="${networkMs}"/>`);
      lines.push(referAnswer === 202 ? okay('202 Accepted') : okay(`${referAnswer} ${phrase}`, `next="talk_${id}"`));
      const notify = (cseq: number, state: string, status: string): string[] => [
        request('NOTIFY', cseq, [
          ...['Event: refer', `Subscription-State: ${state}`, 'Content-Type: message/sipfrag;version=2.0'],
          ...['Content-Length: [len]', '', `SIP/2.0 ${status}`],
        ]),
        `<recv response="200"/>`,
      ];
      lines.push(...notify(10, 'active;expires=60', '100 Trying'));
      if (referAfterMs !== undefined) {
        lines.push(`<recv request="BYE" ${limit(referAfterMs, 'referred')} next="hung_up"/>`);
        lines.push(`<label id="referred_${id}"/>`);
      }
      lines.push(`<nop test="toBusy" next="busy_${id}"/>`);
      lines.push(...notify(11, 'terminated;reason=noresource', `${referEnds} ${referEnds === 200 ? 'OK' : phrase}`));
      lines.push(`<nop next="talk_${id}"/>`, `<label id="busy_${id}"/>`);
      lines.push(...notify(12, 'terminated;reason=noresource', '486 Busy Here'), `<nop next="talk_${id}"/>`);
    }
    return lines.join('\n');
  };

  const remember = `<action>
    <ereg regexp=".*" search_in="hdr" header="Via:" assign_to="via"/>
    <ereg regexp=".*" search_in="hdr" header="From:" assign_to="from"/>
    <ereg regexp=".*" search_in="hdr" header="To:" assign_to="to"/>
    <ereg regexp=".*" search_in="hdr" header="CSeq:" assign_to="cseq"/>
    <ereg regexp="sips?:[^&gt;]*" search_in="hdr" header="Contact:" assign_to="target"/>
    <ereg regexp="busy" search_in="hdr" header="Refer-To:" assign_to="toBusy"/>
    ${numbers.map(({ number, index }) => `<ereg regexp="^INVITE sips?:${number.replace('+', '[+]')}@" search_in="msg" assign_to="is${index}"/>`).join('\n')}
    ${credentials?.status !== 407 ? '' : `<ereg regexp="username=.${credentials.username}." search_in="hdr" header="Proxy-Authorization:" assign_to="trusted"/>`}
    ${credentials === undefined || credentials.status === 407 ? '' : `<verifyauth assign_to="trusted" username="${credentials.username}" password="${credentials.password}"/>`}
  </action>`;

  const challenge =
    credentials === undefined
      ? `<recv request="INVITE">${remember}</recv>`
      : `<label id="challenge"/>
         <recv request="INVITE">${remember}</recv>
         <nop test="trusted" next="trusted"/>
         ${response(credentials.status === 407 ? '407 Proxy Authentication Required' : '401 Unauthorized', [`${credentials.status === 407 ? 'Proxy' : 'WWW'}-Authenticate: Digest realm="carrier", nonce="[call_number]n[pid]", algorithm=MD5`, ...nothing])}
         <recv request="ACK" next="challenge"/>
         <label id="trusted"/>`;

  const choose = numbers.map(
    ({ index, list }) => `<label id="of_${index}"/>
      ${list.length === 1 ? '' : `<nop><action><add assign_to="count${index}" value="1"/></action></nop>`}
      ${list
        .slice(0, -1)
        .map(
          (play, at) => `<nop test="nth" next="play_${plotOf(play)}"><action>
            <test assign_to="nth" variable="count${index}" compare="equal" value="${at + 1}"/></action></nop>`,
        )
        .join('\n')}
      <nop next="play_${plotOf(list.at(-1))}"/>`,
  );

  const counted = numbers.filter(({ list }) => list.length > 1).map(({ index }) => `count${index}`);
  const others = ['toBusy', 'via', 'from', 'to', 'cseq', 'target', ...numbers.map(({ index }) => `is${index}`)];
  return `<?xml version="1.0" encoding="ISO-8859-1" ?>
<!DOCTYPE scenario SYSTEM "sipp.dtd">
<scenario name="carrier">
${counted.length === 0 ? '' : `<Global variables="${counted.join(',')}"/>`}
${challenge}
${numbers.map(({ index }) => `<nop test="is${index}" next="of_${index}"/>`).join('\n')}
<nop next="play_other"/>
${choose.join('\n')}
${plots.map((play, index) => part(String(index), JSON.parse(play) as Play)).join('\n')}
${part('other', otherwise ?? { finally: 404, phrase: 'Not Found', afterMs: 10 })}
<label id="cancelled"/>
${okay('200 OK')}
${response('487 Request Terminated', nothing, 'retrans="500"')}
<label id="acknowledged"/>
<recv request="CANCEL" optional="true" next="late_cancel"/>
<recv request="ACK" next="over"/>
<label id="late_cancel"/>
${okay('200 OK', 'next="acknowledged"')}
<label id="hung_up"/>
${okay('200 OK')}
<label id="over"/>
<timewait milliseconds="1000"/>
<Reference variables="${others.join(',')}"/>
</scenario>
`;
}

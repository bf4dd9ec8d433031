import { createSocket } from 'node:dgram';
import { vi } from 'vitest';
import { freePort, isPortFree } from '../../embedded/free-port.js';
import { carrierScenario, type CarrierBook } from './carrier-scenario.js';
import type { Certificate } from './certificate.js';
import { keepLogs } from './logs.js';
import { nudge } from './nudge.js';
import { type Hearing, openEar } from './rtp-ear.js';
import { asInvite, type Invite, type SipMessage } from './sip-log.js';
import { startSipp } from './sipp.js';
import { startTlsFront } from './tls-front.js';
import { soon } from '../setup/soon.js';

export type { Play } from './carrier-scenario.js';

export interface CarrierOptions extends Pick<CarrierBook, 'otherwise' | 'credentials'> {
  /** `tls` needs the certificate. */
  readonly transport?: 'udp' | 'tcp' | 'tls';
  readonly certificate?: Certificate;
}

/** A telephone network of one trunk, played by sipp, which answers each number as its play says. */
export interface Carrier {
  readonly port: number;
  /** As a gateway's address: `127.0.0.1:<port>` */
  readonly address: string;
  /** Every message so far, in order, as sipp's own log has them. */
  messages(): readonly SipMessage[];
  /** Requests received of that method: `INVITE`, `CANCEL`, `BYE`, `REFER`, `ACK`. INVITEs of an authentication count each. */
  received(method: string): readonly SipMessage[];
  /** INVITEs received, those to one number if one is given; retransmissions left out. */
  invites(to?: string): readonly Invite[];
  /** The audio of the call of that INVITE, as the callee hears it; the ear listens as soon as it comes in. */
  hearing(invite: Pick<Invite, 'callId'>): Hearing;
  /** What the call's play waits for comes now: the final response, or the callee's hanging up. By UDP only. */
  goOn(invite: Pick<Invite, 'callId'>): void;
  /** Where its log is. */
  readonly folder: string;
  close(): Promise<void>;
}

const watchMs = 20;

/**
 * Starts a carrier. Its callees send silence and hear what is said to them, each by `hearing`.
 *
 * @example
 * const carrier = await startCarrier({
 *   '+15550100001': { rings: 180, afterMs: 300, finally: 200, hangsUpAfterMs: 5_000 },
 *   '+15550100002': [{ finally: 486, phrase: 'Busy Here' }, { rings: 180, finally: 200 }], // busy first, then answers
 *   '+15550100003': { rings: 180 }, // for ever
 * });
 */
export async function startCarrier(plays: CarrierBook['plays'], options: CarrierOptions = {}): Promise<Carrier> {
  const { transport = 'udp', certificate, ...book } = options;
  const ear = await openEar();
  const [port, behind] = await Promise.all([freePort(), freePort()]);
  const front = certificate === undefined ? null : await startTlsFront(port, behind, certificate);
  const ownPort = front === null ? port : behind;
  const contact = { port, transport };
  const scenario = carrierScenario({ ...book, plays, contact, audioPort: ear.port });
  const args = ['-p', String(ownPort), '-t', transport === 'udp' ? 'u1' : 't1'];
  const sipp = await startSipp('carrier', scenario, args);
  const isUp = vi.waitFor(() => mustListen(ownPort, transport, sipp), soon);
  await isUp.catch((error: unknown) => {
    throw new Error(`No carrier; its logs are in ${keepLogs()}`, { cause: error });
  });

  const hearings = new Map<string, Hearing>();
  const hushed = new Set<string>();
  let looked = 0;
  /** Opens the ear to calls that have come in, and closes it to those that are over. */
  function look(): void {
    const messages = sipp.messages();
    for (const message of messages.slice(looked)) {
      const { callId, name } = message;
      const { audioPort } = asInvite(message);
      if (name === 'INVITE' && audioPort !== undefined && !hearings.has(callId)) {
        hearings.set(callId, ear.open(audioPort));
        ports.set(callId, audioPort);
      }
      const isOver = ['CANCEL', 'BYE'].includes(name) || /^[3-6]\d\d$/.test(name);
      const over = isOver ? ports.get(callId) : undefined;
      if (over !== undefined && name !== '401' && !hushed.has(callId)) {
        hushed.add(callId);
        ear.hush(over);
      }
    }
    looked = messages.length;
  }
  const ports = new Map<string, number>();
  const timer = setInterval(look, watchMs);

  const received = (method: string): readonly SipMessage[] =>
    sipp.messages().filter(({ direction, name }) => direction === 'in' && name === method);
  return {
    ...{ port, address: `127.0.0.1:${port}`, folder: sipp.folder, received },
    messages: () => sipp.messages(),
    invites(to) {
      const all = received('INVITE').map(asInvite);
      const first = all.filter(
        ({ callId, headers }, at) =>
          all.findIndex((each) => each.callId === callId && each.headers.cseq === headers.cseq) === at,
      );
      return to === undefined ? first : first.filter((invite) => invite.to === to);
    },
    hearing({ callId }) {
      look();
      const found = hearings.get(callId);
      if (found === undefined) throw new Error(`The carrier has had no call ${callId}.`);
      return found;
    },
    goOn({ callId }) {
      if (transport !== 'udp') throw new Error('Only a carrier by UDP can be told to go on.');
      nudge(port, callId);
    },
    async close() {
      clearInterval(timer);
      await front?.close();
      await sipp.kill();
      await ear.close();
    },
  };
}

async function mustListen(
  port: number,
  transport: string,
  { child, folder }: { readonly child: { isOver(): boolean }; readonly folder: string },
): Promise<void> {
  if (child.isOver()) throw new Error(`sipp does not run: see ${folder}`);
  const free = transport === 'udp' ? await isUdpPortFree(port) : await isPortFree(port);
  if (free) throw new Error(`sipp does not listen: see ${folder}`);
}

function isUdpPortFree(port: number): Promise<boolean> {
  const socket = createSocket('udp4');
  return new Promise((resolve) => {
    socket.once('error', () => resolve(false));
    socket.bind(port, '127.0.0.1', () => socket.close(() => resolve(true)));
  });
}
export type { Invite, SipMessage };

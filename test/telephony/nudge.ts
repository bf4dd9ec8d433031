import { createSocket } from 'node:dgram';

/** What a scenario of sipp receives when a test wants it to go on. */
export const nudgeMethod = 'OPTIONS';

/** Tells a call of the sipp at a port (UDP, loopback) to go on: it takes any message by its Call-ID. */
export function nudge(port: number, callId: string): void {
  const request = [
    ...[`${nudgeMethod} sip:go-on@127.0.0.1 SIP/2.0`, 'Via: SIP/2.0/UDP 127.0.0.1:9;branch=z9hG4bKgoon'],
    ...['From: <sip:test@127.0.0.1>;tag=test', 'To: <sip:go-on@127.0.0.1>'],
    ...[`Call-ID: ${callId}`, `CSeq: ${Date.now() % 100_000} ${nudgeMethod}`, 'Content-Length: 0', '', ''],
  ];
  const socket = createSocket('udp4');
  socket.send(request.join('\r\n'), port, '127.0.0.1', () => socket.close());
}

import { createSocket } from 'node:dgram';

const headBytes = 12;
const kinds = { 1: 4, 28: 6 } as const;

/** The name that a DNS question is about, and which family of addresses it asks for. */
function questionIn(message: Buffer): { readonly name: string; readonly family: number; readonly end: number } {
  const labels: string[] = [];
  let at = headBytes;
  for (let size = message[at] ?? 0; size > 0; size = message[at] ?? 0) {
    labels.push(message.toString('latin1', at + 1, at + 1 + size));
    at += size + 1;
  }
  const kind = message.readUInt16BE(at + 1);
  return { name: labels.join('.').toLowerCase(), family: kind in kinds ? kinds[kind as 1 | 28] : 0, end: at + 5 };
}

export interface DnsServer {
  readonly address: string;
  /** Names it was asked for IPv4 addresses of, in order. */
  readonly asked: readonly string[];
  close(): Promise<void>;
}

/** A DNS server that has IPv4 addresses of some names, is silent about others, and knows no more names. */
export async function startDnsServer(
  known: Readonly<Record<string, readonly string[] | 'silent'>>,
): Promise<DnsServer> {
  const socket = createSocket('udp4');
  const asked: string[] = [];
  socket.on('message', (message, { address, port }) => {
    const { name, family, end } = questionIn(message);
    if (family === 4) asked.push(name);
    const answer = known[name];
    if (answer === 'silent') return;
    const addresses = family === 4 ? (answer ?? []) : [];
    const head = Buffer.from(message.subarray(0, end));
    head.writeUInt16BE(0x8180 | (answer === undefined ? 3 : 0), 2);
    head.writeUInt16BE(addresses.length, 6);
    head.fill(0, 8, headBytes);
    const records = addresses.map((each) => {
      const record = Buffer.from([0xc0, headBytes, 0, 1, 0, 1, 0, 0, 0, 60, 0, 4]);
      return Buffer.concat([record, Buffer.from(each.split('.').map(Number))]);
    });
    socket.send(Buffer.concat([head, ...records]), port, address);
  });
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve));
  return {
    address: `127.0.0.1:${socket.address().port}`,
    asked,
    close: () => new Promise((resolve) => socket.close(() => resolve())),
  };
}

import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';

/** One end of a WebSocket (RFC 6455), as much of it as a fake of a provider needs: text, pings and the end. */
export interface WebSocketEnd {
  send(message: object): void;
  /** Ends it without a word, as a server that dies. */
  destroy(): void;
}

const opcode = { text: 1, close: 8, ping: 9, pong: 10 } as const;

function frame(code: number, payload: Buffer): Buffer {
  const { length } = payload;
  const head = length < 126 ? Buffer.alloc(2) : length < 65_536 ? Buffer.alloc(4) : Buffer.alloc(10);
  head[0] = 0x80 | code;
  head[1] = length < 126 ? length : length < 65_536 ? 126 : 127;
  if (head.length === 4) head.writeUInt16BE(length, 2);
  if (head.length === 10) head.writeBigUInt64BE(BigInt(length), 2);
  return Buffer.concat([head, payload]);
}

/** The first frame of what has come in; null if it is not whole yet. Clients mask theirs. */
function readFrame(buffer: Buffer): { code: number; payload: Buffer; rest: Buffer } | null {
  if (buffer.length < 2) return null;
  const short = (buffer[1] ?? 0) & 0x7f;
  const headLength = short < 126 ? 2 : short === 126 ? 4 : 10;
  if (buffer.length < headLength + 4) return null;
  const length = short < 126 ? short : short === 126 ? buffer.readUInt16BE(2) : Number(buffer.readBigUInt64BE(2));
  const from = headLength + 4;
  if (buffer.length < from + length) return null;
  const mask = buffer.subarray(headLength, from);
  const payload = Buffer.from(buffer.subarray(from, from + length).map((byte, at) => byte ^ (mask[at % 4] ?? 0)));
  return { code: (buffer[0] ?? 0) & 0x0f, payload, rest: buffer.subarray(from + length) };
}

/**
 * Takes a client's request for a WebSocket.
 *
 * @param on gets each message, as the JSON that it is
 */
export function acceptWebSocket(
  request: IncomingMessage,
  socket: Duplex,
  on: { readonly message: (message: unknown) => void; readonly close: () => void },
): WebSocketEnd {
  const accept = createHash('sha1')
    .update(`${request.headers['sec-websocket-key'] ?? ''}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`)
    .digest('base64');
  socket.write(
    `HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${accept}\r\n\r\n`,
  );
  let waiting = Buffer.alloc(0);
  const write = (code: number, payload: Buffer): void => {
    if (!socket.destroyed) socket.write(frame(code, payload));
  };
  socket.on('data', (chunk: Buffer) => {
    waiting = Buffer.concat([waiting, chunk]);
    for (let next = readFrame(waiting); next !== null; next = readFrame(waiting)) {
      waiting = Buffer.from(next.rest);
      if (next.code === opcode.text) on.message(JSON.parse(next.payload.toString()));
      if (next.code === opcode.ping) write(opcode.pong, next.payload);
      if (next.code === opcode.close) {
        write(opcode.close, next.payload);
        socket.end();
      }
    }
  });
  socket.on('close', on.close);
  socket.on('error', () => socket.destroy());
  return {
    send: (message) => write(opcode.text, Buffer.from(JSON.stringify(message))),
    destroy: () => socket.destroy(),
  };
}

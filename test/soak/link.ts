import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

/** What a link can do to the connections that pass through it. */
export interface Link {
  readonly name: string;
  /** Port of 127.0.0.1 that the client is told. */
  readonly port: number;
  readonly connections: number;
  /** Resets every connection. */
  cut(): void;
  /** Takes bytes and passes nothing on for this long. */
  hold(milliseconds: number): void;
  /** Passes every byte on this much later, for so long. */
  slow(delayMs: number, milliseconds: number): void;
  /** Resets what is connected and whatever wants to connect, for so long. */
  refuse(milliseconds: number): void;
  /** Ends one direction: that side hears nothing of its partner any more, who believes for so long that all is well. */
  halfClose(side: 'client' | 'server', milliseconds: number): void;
  /**
   * Passes on the next request whose bytes hold `words`, drops the answer and resets the connection.
   * @returns whether there was one within the time
   */
  loseAnswer(words: string, milliseconds: number): Promise<boolean>;
  close(): Promise<void>;
}

interface Waiting {
  readonly dueMs: number;
  readonly bytes: Buffer;
}

/** One direction of a connection: what was read and is still to be written. */
interface Lane {
  readonly to: Socket;
  readonly waiting: Waiting[];
  timer: NodeJS.Timeout | undefined;
  ended: boolean;
}

interface Pair {
  readonly client: Socket;
  readonly server: Socket;
  readonly lanes: readonly [up: Lane, down: Lane];
  /** Set while the next answer is to be lost. */
  losing: (() => void) | undefined;
  /** The side that a half-close has cut off: its end is not passed on. */
  cutOff: boolean;
}

interface Ambush {
  readonly words: string;
  readonly caught: () => void;
}

/** A TCP proxy of 127.0.0.1 in front of `targetPort`, made to fail. */
export async function openLink(name: string, targetPort: number): Promise<Link> {
  const pairs = new Set<Pair>();
  let heldUntilMs = 0;
  let slowUntilMs = 0;
  let delayMs = 0;
  let refusedUntilMs = 0;
  let ambush: Ambush | undefined;

  function destroy(pair: Pair): void {
    pairs.delete(pair);
    for (const lane of pair.lanes) clearTimeout(lane.timer);
    pair.client.resetAndDestroy();
    pair.server.resetAndDestroy();
  }

  function pump(lane: Lane): void {
    clearTimeout(lane.timer);
    for (let [next] = lane.waiting; next !== undefined; [next] = lane.waiting) {
      const readyMs = Math.max(next.dueMs, heldUntilMs);
      const waitMs = readyMs - performance.now();
      if (waitMs > 0) {
        lane.timer = setTimeout(pump, waitMs, lane);
        return;
      }
      lane.waiting.shift();
      if (lane.to.writable) lane.to.write(next.bytes);
    }
    if (lane.ended && lane.to.writable) lane.to.end();
  }

  function pass(lane: Lane, bytes: Buffer): void {
    const nowMs = performance.now();
    lane.waiting.push({ dueMs: nowMs < slowUntilMs ? nowMs + delayMs : nowMs, bytes });
    pump(lane);
  }

  function fromClient(pair: Pair, bytes: Buffer): void {
    if (ambush !== undefined && pair.losing === undefined && bytes.includes(ambush.words)) {
      pair.losing = ambush.caught;
      ambush = undefined;
    }
    pass(pair.lanes[0], bytes);
  }

  function fromServer(pair: Pair, bytes: Buffer): void {
    if (pair.losing === undefined) pass(pair.lanes[1], bytes);
    else {
      pair.losing();
      destroy(pair);
    }
  }

  function accept(client: Socket): void {
    if (performance.now() < refusedUntilMs) {
      client.resetAndDestroy();
      return;
    }
    const server = connect({ port: targetPort, host: '127.0.0.1', allowHalfOpen: true, noDelay: true });
    client.setNoDelay(true);
    const lane = (to: Socket): Lane => ({ to, waiting: [], timer: undefined, ended: false });
    const pair: Pair = { client, server, lanes: [lane(server), lane(client)], losing: undefined, cutOff: false };
    pairs.add(pair);
    client.on('data', (bytes) => fromClient(pair, bytes));
    server.on('data', (bytes) => fromServer(pair, bytes));
    const endOf = (ended: Lane) => () => {
      if (pair.cutOff) return;
      ended.ended = true;
      pump(ended);
    };
    client.on('end', endOf(pair.lanes[0]));
    server.on('end', endOf(pair.lanes[1]));
    for (const socket of [client, server]) {
      socket.on('error', () => destroy(pair));
      socket.on('close', () => {
        if (!pair.cutOff && pairs.has(pair) && client.destroyed && server.destroyed) pairs.delete(pair);
      });
    }
  }

  const front: Server = createServer({ allowHalfOpen: true }, accept);
  front.listen(0, '127.0.0.1');
  await once(front, 'listening');
  const { port } = front.address() as AddressInfo;
  const cut = (): void => {
    for (const pair of [...pairs]) destroy(pair);
  };

  return {
    name,
    port,
    get connections() {
      return pairs.size;
    },
    cut,
    hold(milliseconds) {
      heldUntilMs = Math.max(heldUntilMs, performance.now() + milliseconds);
    },
    slow(delay, milliseconds) {
      delayMs = delay;
      slowUntilMs = performance.now() + milliseconds;
    },
    refuse(milliseconds) {
      refusedUntilMs = performance.now() + milliseconds;
      cut();
    },
    halfClose(side, milliseconds) {
      for (const pair of [...pairs]) {
        pair.cutOff = true;
        pair[side].end();
        setTimeout(destroy, milliseconds, pair);
      }
    },
    async loseAnswer(words, milliseconds) {
      return new Promise((resolve) => {
        const timer = setTimeout(() => {
          if (ambush === mine) ambush = undefined;
          resolve(false);
        }, milliseconds);
        const mine: Ambush = {
          words,
          caught: () => {
            clearTimeout(timer);
            resolve(true);
          },
        };
        ambush = mine;
      });
    },
    async close() {
      cut();
      front.close();
      await once(front, 'close');
    },
  };
}

import { AccessToken } from 'livekit-server-sdk';
import type { Browser, Page } from 'playwright-core';
import type { LiveKitServer } from '../setup/livekit-server.js';

/** What a stand-in uses of the LiveKit client, in its page. */
interface ClientLibrary {
  readonly LivekitClient: {
    readonly Room: new () => {
      connect(url: string, token: string): Promise<void>;
      on(event: 'dataReceived', heard: (bytes: Uint8Array) => void): void;
      readonly remoteParticipants: ReadonlyMap<string, unknown>;
      readonly localParticipant: {
        setMicrophoneEnabled(isOn: boolean): Promise<unknown>;
        sendText(text: string, options: { topic: string; attributes: Record<string, string> }): Promise<unknown>;
      };
    };
  };
  room?: InstanceType<ClientLibrary['LivekitClient']['Room']>;
  told?: string[];
}

/** Somebody in a room of a real LiveKit, who is a page of a browser. */
export interface StandIn {
  /** Says it in writing, as agents write along what is said. */
  say(text: string, segment: string): Promise<void>;
  /** Opens the microphone, which is a tone. */
  speak(): Promise<void>;
  /** Who else is there, as anybody in the room sees it. */
  others(): Promise<readonly string[]>;
  /** The texts that have been sent to it. */
  told(): Promise<readonly string[]>;
  leave(): Promise<void>;
}

/** Enters the room as an agent does, or as a callee. */
export async function aStandIn(
  browser: Browser,
  server: LiveKitServer,
  room: string,
  kind: 'agent' | 'callee' = 'agent',
): Promise<StandIn> {
  const token = new AccessToken(server.apiKey, server.apiSecret, { identity: kind });
  token.addGrant({ room, roomJoin: true, agent: kind === 'agent' });
  if (kind === 'agent') token.kind = 'agent';
  return enterWith(browser, server, await token.toJwt());
}

/** Enters the room that a token of LiveKit is for. */
export async function enterWith(browser: Browser, server: LiveKitServer, jwt: string): Promise<StandIn> {
  const page: Page = await browser.newPage();
  // A page of this machine: only such may use what the library needs.
  await page.goto(server.url);
  await page.addScriptTag({ path: 'node_modules/livekit-client/dist/livekit-client.umd.js' });
  await page.evaluate(
    async ({ url, jwt }) => {
      const library = globalThis as unknown as ClientLibrary;
      const room = new library.LivekitClient.Room();
      library.room = room;
      library.told = [];
      room.on('dataReceived', (bytes) => library.told?.push(new TextDecoder().decode(bytes)));
      await room.connect(url, jwt);
    },
    { url: server.url.replace('http', 'ws'), jwt },
  );
  return {
    say: (text, segment) =>
      page.evaluate(
        async (line) => {
          const { room } = globalThis as unknown as ClientLibrary;
          const attributes = { 'lk.segment_id': line.segment, 'lk.transcription_final': 'true' };
          await room?.localParticipant.sendText(line.text, { topic: 'lk.transcription', attributes });
        },
        { text, segment },
      ),
    speak: () =>
      page.evaluate(async () => {
        await (globalThis as unknown as ClientLibrary).room?.localParticipant.setMicrophoneEnabled(true);
      }),
    others: () =>
      page.evaluate(() => [...((globalThis as unknown as ClientLibrary).room?.remoteParticipants.keys() ?? [])]),
    told: () => page.evaluate(() => (globalThis as unknown as ClientLibrary).told ?? []),
    leave: () => page.close(),
  };
}

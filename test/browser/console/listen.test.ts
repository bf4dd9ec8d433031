import { RoomServiceClient } from 'livekit-server-sdk';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { aKey } from '../../api/account/support.js';
import { aCallThatIs } from '../../api/calls/support.js';
import { withSettings } from '../../api/playground/support.js';
import { rowsOf } from '../../api/support-resources.js';
import { api, useApi } from '../../api/support.js';
import { findLiveKitServer, type LiveKitServer, startLiveKitServer } from '../../setup/livekit-server.js';
import { soon } from '../../setup/soon.js';
import { noBrowser, openBrowser, serveApp, sharedBrowser, type ServedApp } from '../browser.js';
import { aStandIn, enterWith } from '../stand-in.js';
import { expectAccessible, openConsole } from './support.js';

useApi();

const program = findLiveKitServer();
const missing = noBrowser ?? (program === undefined ? 'no livekit-server: LIVEKIT_SERVER_BIN' : undefined);

/** The loudest moment of the last half second of what the page plays, from 0 to 1; -1: it plays nothing. */
const loudness = (page: Page): Promise<number> =>
  page.evaluate(`(async () => {
    const sound = document.querySelector('audio');
    if (sound === null || sound.paused || sound.muted) return -1;
    if (globalThis.ear === undefined) {
      const context = new AudioContext();
      globalThis.ear = context.createAnalyser();
      globalThis.ear.fftSize = 32768;
      context.createMediaStreamSource(sound.srcObject).connect(globalThis.ear);
    }
    const samples = new Float32Array(globalThis.ear.fftSize);
    globalThis.ear.getFloatTimeDomainData(samples);
    return samples.reduce((most, sample) => Math.max(most, Math.abs(sample)), 0);
  })()`);

/** The call is over. */
async function ends(uuid: string): Promise<void> {
  await rowsOf("update calls set status = 'answered', ended_at = now() where id = $1", [uuid]);
  await rowsOf("update call_attempts set phase = 'ended', ended_at = now(), outcome = 'answered' where call_id = $1", [
    uuid,
  ]);
}

describe.skipIf(noBrowser !== undefined)(`who is offered to listen, in Chromium (${noBrowser ?? 'there'})`, () => {
  let browser: Browser;
  let served: ServedApp;
  beforeAll(async () => {
    browser = await sharedBrowser();
    served = await serveApp();
  });

  test('listening is offered with the permission listen alone, while the call is live; a simulated one says that it has no sound', async () => {
    const { id, uuid } = await aCallThatIs('answered');
    const seen = async (permissions: readonly string[]) => {
      const { token } = await aKey({ permissions });
      const { page } = await openConsole(browser, served, `/calls/${id}`, { token });
      await page.getByRole('region', { name: 'Details' }).waitFor();
      const live = await page.getByRole('region', { name: 'Live' }).allInnerTexts();
      await page.close();
      return live.join();
    };
    expect(await seen(['operate'])).toBe('');
    expect(await seen(['read', 'listen'])).toContain('No one in the call will see or hear you.');
    await rowsOf('update calls set simulated = true where id = $1', [uuid]);
    expect(await seen(['read', 'listen'])).toContain('A simulated call has no sound');
    await ends(uuid);
    expect(await seen(['read', 'listen'])).toBe('');
  });
});

describe.skipIf(missing !== undefined)(
  `listening to a call, in Chromium with a real LiveKit (${missing ?? 'there'})`,
  () => {
    let browser: Browser;
    let server: LiveKitServer;
    let served: ServedApp;

    beforeAll(async () => {
      browser = await openBrowser();
      server = await startLiveKitServer(program ?? '');
      served = await serveApp({
        env: withSettings({
          ...{ OUTDIAL_PROVIDER: 'livekit', OUTDIAL_LIVEKIT_URL: server.url },
          ...{ OUTDIAL_LIVEKIT_API_KEY: server.apiKey, OUTDIAL_LIVEKIT_API_SECRET: server.apiSecret },
        }),
      });
    });
    afterAll(async () => {
      await browser.close();
      await server.close();
    });

    /** An answered call with agent and callee in its room. */
    async function aConversation() {
      const call = await aCallThatIs('answered');
      const room = `room_${call.uuid}`;
      await rowsOf('update calls set simulated = false where id = $1', [call.uuid]);
      await rowsOf('update call_attempts set room = $2 where call_id = $1', [call.uuid, room]);
      const callee = await aStandIn(browser, server, room, 'callee');
      const agent = await aStandIn(browser, server, room);
      const { token } = await aKey({ permissions: ['read', 'listen'] });
      const { page, complaints } = await openConsole(browser, served, `/calls/${call.id}`, { token });
      return { call, room, callee, agent, page, complaints };
    }
    const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();

    test('a supervisor hears what is said, is seen by nobody in the room, and leaves it with the end of the call', async () => {
      const { call, room, callee, agent, page, complaints } = await aConversation();
      await callee.speak();
      await page.getByText('No one in the call will see or hear you.').waitFor();
      await press(page, 'Listen');
      await page.getByText('You hear the call. No one in it sees or hears you.').waitFor();
      await vi.waitFor(async () => expect(await loudness(page)).toBeGreaterThan(0.01), soon);
      await expectAccessible(page);
      expect(await callee.others()).toEqual(['agent']);
      expect(await agent.others()).toEqual(['callee']);
      const rooms = new RoomServiceClient(server.url, server.apiKey, server.apiSecret);
      const listeners = async () =>
        (await rooms.listParticipants(room)).filter(({ identity }) => identity.startsWith('listener_'));
      expect(await listeners()).toMatchObject([{ tracks: [], permission: { hidden: true, canPublish: false } }]);

      await press(page, 'Stop listening');
      await vi.waitFor(async () => expect(await listeners()).toEqual([]), soon);
      expect(await page.locator('audio').count()).toBe(0);
      await press(page, 'Listen');
      await vi.waitFor(async () => expect(await listeners()).toHaveLength(1), soon);
      await ends(call.uuid);
      await page.getByRole('region', { name: 'Live' }).waitFor({ state: 'detached' });
      await vi.waitFor(async () => expect(await listeners()).toEqual([]), soon);
      expect(complaints).toEqual([]);
      for (const each of [callee, agent]) await each.leave();
      await page.close();
    });

    // shows: token.listeners
    test('a supervisor whose token is revoked is taken out of the room and stays out; another goes on hearing', async () => {
      const { call, room, callee, agent, page } = await aConversation();
      const rooms = new RoomServiceClient(server.url, server.apiKey, server.apiSecret);
      const listeners = async () =>
        (await rooms.listParticipants(room)).flatMap(({ identity }) =>
          identity.startsWith('listener_') ? [identity] : [],
        );
      await press(page, 'Listen');
      await page.getByText('You hear the call.').waitFor();
      const [staying] = await listeners();

      const { token } = await aKey({ permissions: ['listen'] });
      const place = await fetch(`${served.url}/v1/calls/${call.id}/listen`, {
        method: 'POST',
        headers: { authorization: token },
      });
      const { token: letsIn } = (await place.json()) as { token: string };
      const guest = await enterWith(browser, server, letsIn);
      await vi.waitFor(async () => expect(await listeners()).toHaveLength(2), soon);
      await api.post('/v1/account/tokens/revoke', { token });
      await vi.waitFor(async () => expect(await listeners()).toEqual([staying]), soon);
      await guest.leave();
      const again = await enterWith(browser, server, letsIn);
      await vi.waitFor(async () => expect(await listeners()).toHaveLength(2), soon);
      await vi.waitFor(async () => expect(await listeners()).toEqual([staying]), soon);

      for (const each of [callee, agent, again]) await each.leave();
      await page.close();
    });

    test('a room that is closed is said to be over, and can be entered again as long as the call is live', async () => {
      const { room, callee, agent, page } = await aConversation();
      await press(page, 'Listen');
      await page.getByText('You hear the call.').waitFor();
      await new RoomServiceClient(server.url, server.apiKey, server.apiSecret).deleteRoom(room);
      await page.getByText('The sound has ended').waitFor();
      await press(page, 'Listen');
      await page.getByText('You hear the call.').waitFor();
      for (const each of [callee, agent]) await each.leave();
      await page.close();
    });

    test('the agent is told what is written, and the callee is not; what is wrong stands at the field', async () => {
      const { callee, agent, page, complaints } = await aConversation();
      await press(page, 'Tell it');
      await page.getByLabel('Tell the agent').and(page.locator('[aria-invalid="true"]')).waitFor();
      await page.getByLabel('Tell the agent').fill('Offer Friday at ten.');
      await page.getByLabel('At once, even').check();
      await press(page, 'Tell it');
      await page.getByText('The agent was told.').waitFor();
      await vi.waitFor(async () => expect((await agent.told()).join()).toContain('Offer Friday at ten.'), soon);
      expect(await callee.told()).toEqual([]);
      expect(complaints.filter((words) => !words.includes('400'))).toEqual([]);
      for (const each of [callee, agent]) await each.leave();
      await page.close();
    });
  },
);

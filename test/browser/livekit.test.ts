import { sql } from 'kysely';
import { AgentDispatchClient, RoomServiceClient } from 'livekit-server-sdk';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { announceAgentWorker, withdrawAgentWorker } from '../../db/queries/agents/workers.js';
import { endedAttribute, readAgentJob } from '../../domain/agent/job.js';
import { findLiveKitServer, type LiveKitServer, startLiveKitServer } from '../setup/livekit-server.js';
import { aTriedAgent, withSettings } from '../api/playground/support.js';
import { here, useApi } from '../api/support.js';
import { complaintsOf, noBrowser, openBrowser, serveApp, type ServedApp } from './browser.js';
import { soon } from '../setup/soon.js';
import { aStandIn } from './stand-in.js';

useApi();

const program = findLiveKitServer();
const missing = noBrowser ?? (program === undefined ? 'no livekit-server: LIVEKIT_SERVER_BIN' : undefined);

describe.skipIf(missing !== undefined)(
  `the playground by voice, in Chromium with a real LiveKit (${missing ?? 'there'})`,
  () => {
    let browser: Browser;
    let server: LiveKitServer;
    let served: ServedApp;
    let env: ReturnType<typeof withSettings>;

    beforeAll(async () => {
      browser = await openBrowser();
      server = await startLiveKitServer(program ?? '');
      env = withSettings({
        ...{ OUTDIAL_PROVIDER: 'livekit', OUTDIAL_LIVEKIT_URL: server.url },
        ...{ OUTDIAL_LIVEKIT_API_KEY: server.apiKey, OUTDIAL_LIVEKIT_API_SECRET: server.apiSecret },
      });
      served = await serveApp({ env });
    });
    beforeEach(() => workersAre('ready'));
    afterAll(async () => {
      await browser.close();
      await server.close();
    });

    /** Agent workers announce themselves every few seconds; these for the whole test. */
    const workersAre = async (state: 'ready' | 'away') => {
      const { db } = here().database;
      await withdrawAgentWorker(db, 'stand-in');
      if (state === 'away') return;
      await announceAgentWorker(db, { id: 'stand-in', region: 'default', slots: 8, used: 0, state });
      await sql`update agent_workers set seen_at = clock_timestamp() + interval '1 hour'`.execute(db);
    };

    const rooms = () => new RoomServiceClient(server.url, server.apiKey, server.apiSecret);

    test('the microphone is heard in a room that the agent is sent to, and what is said is written along', async () => {
      const agentId = await aTriedAgent({ languages: { english: { prompt: 'Be kind to {{first_name}}.' } } });
      const page = await browser.newPage();
      const complaints = complaintsOf(page);
      await page.goto(`${served.url}/playground/${agentId}#token=${here().me.token}`);
      await page.getByLabel('first_name').fill('Asha');
      await page.getByRole('button', { name: 'Start talking' }).click();
      await page.getByText('Waiting for the agent').waitFor();

      const [room] = await rooms().listRooms();
      expect(room?.name).toMatch(/^acc_[0-9a-f-]{36}\.playground_/);
      const dispatches = new AgentDispatchClient(server.url, server.apiKey, server.apiSecret);
      const [job] = await dispatches.listDispatch(room!.name);
      expect(job?.agentName).toBe('outdial-agent');
      expect(readAgentJob(job!.metadata)).toMatchObject({
        kind: 'playground',
        agentId,
        metadata: { first_name: 'Asha' },
      });
      const visitor = await vi.waitFor(async () => {
        const [found] = await rooms().listParticipants(room!.name);
        expect(found?.tracks).toHaveLength(1);
        return found!;
      }, soon);
      expect(visitor.tracks[0]).toMatchObject({ muted: false });

      const agent = await aStandIn(browser, server, room!.name);
      await page.getByText('The agent is there.').waitFor();
      await agent.say('Hello Asha, how are you?', 'SG_1');
      await page.getByRole('log').getByText('Hello Asha, how are you?').waitFor();

      await page.getByRole('button', { name: 'Mute' }).click();
      await vi.waitFor(async () => {
        const found = await rooms().getParticipant(room!.name, visitor.identity);
        expect(found.tracks[0]?.muted).toBe(true);
      }, soon);
      await page.getByRole('button', { name: 'Hang up' }).click();
      await page.getByText('Not connected.').waitFor();
      await page.getByRole('log').getByText('Hello Asha, how are you?').waitFor();
      await agent.leave();
      expect(complaints).toEqual([]);
      await page.close();
    });

    test('a visitor who turns from talking to writing leaves the room, and the microphone is closed', async () => {
      const agentId = await aTriedAgent({ languages: { english: { prompt: 'Be kind.' } } });
      const page = await browser.newPage();
      await page.goto(`${served.url}/playground/${agentId}#token=${here().me.token}`);
      const before = new Set((await rooms().listRooms()).map(({ name }) => name));
      await page.getByRole('button', { name: 'Start talking' }).click();
      await page.getByText('Waiting for the agent').waitFor();
      const room = (await rooms().listRooms()).find(({ name }) => !before.has(name));
      expect(await rooms().listParticipants(room!.name)).toHaveLength(1);

      await page.getByRole('button', { name: 'Write' }).click();

      await vi.waitFor(async () => expect(await rooms().listParticipants(room!.name)).toEqual([]), soon);
      await page.close();
    });

    test('if no agent worker runs the page says so and what to do, and talks as soon as one does', async () => {
      const agentId = await aTriedAgent({ languages: { english: { prompt: 'Be kind.' } } });
      await workersAre('away');
      const page = await browser.newPage();
      await page.goto(`${served.url}/playground/${agentId}#token=${here().me.token}`);
      await page.getByRole('alert').getByText('No agent worker serves the region default').waitFor();
      await page.getByRole('button', { name: 'Start talking' }).click();
      await page.getByRole('alert').getByText('outdial agent').waitFor();
      expect(await page.getByRole('button', { name: 'Start talking' }).isEnabled()).toBe(true);
      await workersAre('ready');
      await page.getByRole('button', { name: 'Start talking' }).click();
      await page.getByText('Waiting for the agent').waitFor();
      await page.close();
    });

    test('the end is announced before it comes, and told when the agent has ended it', async () => {
      const agentId = await aTriedAgent({ languages: { english: { prompt: 'Be kind.' } } });
      const brief = await serveApp({ env: { ...env, OUTDIAL_PLAYGROUND_SECONDS: 61 } });
      const page = await browser.newPage();
      const before = new Set((await rooms().listRooms()).map(({ name }) => name));
      await page.goto(`${brief.url}/playground/${agentId}#token=${here().me.token}`);
      await page.getByRole('button', { name: 'Start talking' }).click();
      await page.getByText('Waiting for the agent').waitFor();
      const room = (await rooms().listRooms()).find(({ name }) => !before.has(name))!.name;
      const agent = await aStandIn(browser, server, room);
      await page.getByRole('timer').getByText('1:0').waitFor();
      await page.getByText('ends in less than a minute').waitFor();

      const visitor = room.replace(/^.*playground_/, 'visitor_');
      await rooms().updateParticipant(room, visitor, { attributes: { [endedAttribute]: 'time_over' } });
      await rooms().removeParticipant(room, visitor);

      await page.getByText('The time of this conversation is up.').waitFor();
      await page.getByRole('button', { name: 'Start talking' }).waitFor();
      await agent.leave();
      await page.close();
    });

    test('an agent that is lost in the middle is told as such', async () => {
      const agentId = await aTriedAgent({ languages: { english: { prompt: 'Be kind.' } } });
      const page = await browser.newPage();
      const before = new Set((await rooms().listRooms()).map(({ name }) => name));
      await page.goto(`${served.url}/playground/${agentId}#token=${here().me.token}`);
      await page.getByRole('button', { name: 'Start talking' }).click();
      await page.getByText('Waiting for the agent').waitFor();
      const room = (await rooms().listRooms()).find(({ name }) => !before.has(name))!.name;
      const agent = await aStandIn(browser, server, room);
      await page.getByText('The agent is there.').waitFor();
      await rooms().removeParticipant(room, 'agent');
      await page.getByText('The agent was lost during the conversation.').waitFor();
      await agent.leave();
      await page.close();
    });

    test('it can be written to as well', async () => {
      const agentId = await aTriedAgent({
        languages: { english: { prompt: 'Be kind.', greeting: { text: 'Good morning.' } } },
      });
      const page = await browser.newPage();
      await page.goto(`${served.url}/playground/${agentId}#token=${here().me.token}`);
      await page.getByRole('button', { name: 'Write' }).click();
      await page.getByRole('log').getByText('Good morning.').waitFor();
      await page.close();
    });

    test('a LiveKit that browsers cannot reach is told as such', async () => {
      const agentId = await aTriedAgent({ languages: { english: { prompt: 'Be kind.' } } });
      const elsewhere = await serveApp({
        env: withSettings({
          ...{ OUTDIAL_PROVIDER: 'livekit', OUTDIAL_LIVEKIT_URL: 'http://127.0.0.1:1' },
          ...{ OUTDIAL_LIVEKIT_API_KEY: server.apiKey, OUTDIAL_LIVEKIT_API_SECRET: server.apiSecret },
        }),
      });
      const page = await browser.newPage();
      await page.goto(`${elsewhere.url}/playground/${agentId}#token=${here().me.token}`);
      await page.getByRole('button', { name: 'Start talking' }).click();
      await page.getByRole('alert').getByText('OUTDIAL_LIVEKIT_PUBLIC_URL').waitFor();
      await page.close();
    });
  },
);

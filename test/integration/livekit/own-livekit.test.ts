import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { watchLiveKit } from '../../../agent/worker/own-livekit.js';
import { keepLiveKits, type OwnLiveKits } from '../../../cli/roles/own-livekit.js';
import { type Database, openDatabase } from '../../../db/client.js';
import { mirrorInboundLines } from '../../../telephony/livekit/inbound-mirror.js';
import { createLiveKitClient } from '../../../telephony/livekit/client.js';
import { claimLiveKit, ownerOf } from '../../../telephony/livekit/owner.js';
import type { LiveKitRegion } from '../../../telephony/livekit/regions.js';
import type { CallProvider } from '../../../telephony/provider.js';
import { createLogger } from '../../../platform/logger.js';
import { testDatabase } from '../../setup/database.js';
import { findLiveKitServer, type LiveKitServer, startLiveKitServer } from '../../setup/livekit-server.js';
import { soon } from '../../setup/soon.js';
import { orderOf } from './harness.js';

const program = findLiveKitServer();
const logger = createLogger('dialer', 'silent');

describe.skipIf(program === undefined)('one LiveKit and two services (LIVEKIT_SERVER_BIN)', () => {
  let server: LiveKitServer;
  let elsewhere: LiveKitServer;
  const services: { database: Database; close(): Promise<void> }[] = [];
  const held: { close(): Promise<void> }[] = [];

  async function aService() {
    const testing = await testDatabase();
    const database = openDatabase({ url: testing.url, poolSize: 2, name: 'test' });
    services.push({
      database,
      async close() {
        await database.close();
        await testing.close();
      },
    });
    return database;
  }
  let [one, other] = [] as unknown as [Database, Database];
  const regionAt = ({ url, apiKey, apiSecret }: LiveKitServer): LiveKitRegion => ({
    ...{ name: 'default', url, apiKey, apiSecret },
  });
  async function keep({ db }: Database, at = server, everyMs = 60_000): Promise<OwnLiveKits> {
    const own = await keepLiveKits({ regions: [regionAt(at)], db, logger }, { everyMs });
    held.push(own);
    return own;
  }
  /** An agent worker of the service, and what it says of its LiveKit. */
  function watch({ db }: Database, at = server) {
    const said: string[] = [];
    const heard = createLogger('agent', 'error', { write: (line) => said.push(line) });
    const watched = watchLiveKit(
      { region: regionAt(at), db, logger: heard, changed: () => undefined },
      { everyMs: 50, forgivenMs: 600_000 },
    );
    held.push({
      close() {
        watched.stop();
        return Promise.resolve();
      },
    });
    return { watched, said };
  }

  beforeAll(async () => {
    [server, elsewhere] = await Promise.all([startLiveKitServer(program ?? ''), startLiveKitServer(program ?? '')]);
    [one, other] = [await aService(), await aService()];
  });
  beforeEach(async () => {
    for (const own of held.splice(0)) await own.close();
    for (const each of [server, elsewhere]) {
      await each.kill();
      await each.restart();
    }
    for (const { database } of services) await database.pool.query('delete from livekit_claims');
  });
  afterAll(async () => {
    for (const own of held) await own.close();
    for (const service of services) await service.close();
    await Promise.all([server.close(), elsewhere.close()]);
  });

  test('the dialers of the first have it; those of the second refuse to start, and name the first', async () => {
    await keep(one);
    await keep(one); // another dialer of the same service
    const owner = await ownerOf(regionAt(server));
    await expect(keep(other)).rejects.toThrow(`belongs to the service of another database (${owner})`);
  });

  test('a dialer that finds later that another service has it makes no call ready, and says why', async () => {
    const own = await keep(one, server, 50);
    const made: string[] = [];
    const provider = own.guard({ prepare: (order) => Promise.resolve(void made.push(order.room)) } as CallProvider);
    const order = orderOf('486');
    await provider.prepare(order);
    const client = createLiveKitClient(regionAt(server));
    const taken = async () => {
      await client.closeRoom('outdial_owner');
      return claimLiveKit(regionAt(server), 'another-database');
    };
    await expect.poll(taken, soon).toBeNull();
    const trouble = () => own.trouble() ?? '';
    await expect.poll(trouble, soon).toContain('belongs to the service of another database (another-database)');
    await expect(provider.prepare(order)).rejects.toThrow('another-database');
    expect(made).toEqual([order.room]);
  });

  test('an agent worker of the second offers nothing; one of the first does', async () => {
    await keep(one);
    const [first, second] = [watch(one), watch(other)];
    await expect.poll(() => first.watched.isOurs, soon).toBe(true);
    await expect.poll(() => second.said.join(), soon).toContain('belongs to the service of another database');
    expect(second.watched.isOurs).toBe(false);
  });

  test('an agent worker at another LiveKit than the dialers offers nothing, until a dialer comes there', async () => {
    await keep(one);
    const { watched, said } = watch(one, elsewhere);
    await expect.poll(() => said.join(), soon).toContain('The dialers have another LiveKit for the region default');
    expect(watched.isOurs).toBe(false);
    await keep(one, elsewhere);
    await expect.poll(() => watched.isOurs, soon).toBe(true);
  });

  test('an agent worker offers its slots where dialers claim nothing, as those of earlier versions', async () => {
    const { watched, said } = watch(one);
    await expect.poll(() => watched.isOurs, soon).toBe(true);
    expect(said).toEqual([]);
  });

  test('an agent worker goes on offering its slots while a LiveKit that was restarted is not claimed again', async () => {
    await keep(one);
    const { watched, said } = watch(one);
    await expect.poll(() => watched.isOurs, soon).toBe(true);
    await server.kill();
    await server.restart();
    await expect.poll(() => ownerOf(regionAt(server)), soon).toBeNull();
    const asked = watched.looks;
    await expect.poll(() => watched.looks, soon).toBeGreaterThan(asked + 1);
    expect(watched.isOurs).toBe(true);
    expect(said).toEqual([]);
  });

  test('the mirror of inbound numbers changes nothing at a LiveKit of another service', async () => {
    const refused = new Error('not ours');
    const mirrored = mirrorInboundLines([], [regionAt(server)], [], () => Promise.reject(refused));
    await expect(mirrored).rejects.toBe(refused);
  });
});

import type { FastifyInstance } from 'fastify';
import { forgetListeners, refusedListeners } from '../../db/queries/calls/listeners.js';
import { liveKitSettings } from '../../platform/livekit.js';
import { takeOut } from '../../platform/livekit-room.js';
import type { AppDeps } from '../operation.js';

/** How often it is asked which listeners may no longer hear, as it is for long answers. */
const askedEveryMs = 2_000;

/**
 * Takes listeners whose token no longer counts out of the rooms of calls: those of every api process, also of one that was killed. A
 * LiveKit that does not answer is asked again in the next round.
 */
async function takeOutListeners({ database: { db }, env, logger }: AppDeps): Promise<void> {
  const refused = await refusedListeners(db);
  if (refused.length === 0) return;
  const byRegion = new Map(liveKitSettings(env).map((setting) => [setting.name, setting]));
  const out = await Promise.all(
    refused.map(async ({ id, region, room, accountId }) => {
      const liveKit = byRegion.get(region);
      // Settings that no longer name the region cannot reach it.
      if (liveKit === undefined) return [id];
      try {
        if (await takeOut(liveKit, { room, id })) {
          logger.info({ accountId, room }, 'a listener was taken out of a call, because the token no longer counts');
        }
        return [id];
      } catch (error) {
        logger.warn({ err: error, accountId, room }, 'a listener could not be taken out of a call');
        return [];
      }
    }),
  );
  await forgetListeners(db, out.flat());
}

/** Looks after the tokens of listeners until the app is closed. */
export function watchListeners(app: FastifyInstance, deps: AppDeps): void {
  if (deps.env.OUTDIAL_PROVIDER !== 'livekit') return;
  let round: Promise<void> | undefined;
  const timer = setInterval(() => {
    round ??= takeOutListeners(deps)
      .catch((error: unknown) => deps.logger.warn({ err: error }, 'the tokens of listeners could not be looked up'))
      .finally(() => {
        round = undefined;
      });
  }, askedEveryMs);
  timer.unref();
  app.addHook('onClose', async () => {
    clearInterval(timer);
    await round;
  });
}

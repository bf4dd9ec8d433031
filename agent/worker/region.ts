import type { Env } from '../../platform/env.js';
import { type LiveKitSetting, liveKitSettings } from '../../platform/livekit.js';

/** The LiveKit that this worker takes calls of. @throws if there is none */
export function ownRegion(env: Env): LiveKitSetting {
  const regions = liveKitSettings(env);
  const name = env.OUTDIAL_AGENT_REGION ?? regions[0]?.name;
  const found = regions.find((region) => region.name === name);
  if (found !== undefined) return found;
  throw new Error(
    regions.length === 0
      ? 'An agent worker needs LiveKit: set OUTDIAL_LIVEKIT_URL, OUTDIAL_LIVEKIT_API_KEY and OUTDIAL_LIVEKIT_API_SECRET.'
      : `OUTDIAL_AGENT_REGION is ${name ?? ''}, which OUTDIAL_REGIONS does not name.`,
  );
}

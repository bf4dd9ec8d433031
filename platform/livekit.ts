import { z } from 'zod';
import type { Env } from './env.js';

/** Address and key of the LiveKit that serves a region. */
export interface LiveKitSetting {
  readonly name: string;
  readonly url: string;
  readonly apiKey: string;
  readonly apiSecret: string;
}

const url = z.url({ protocol: /^(https?|wss?)$/ });

/** Settings of the first region; empty is as good as not set. */
export const LiveKitUrl = z.union([z.literal(''), url]).optional();
const RegionSetting = z.strictObject({ url, apiKey: z.string().min(1), apiSecret: z.string().min(1) });

/** OUTDIAL_LIVEKIT_REGIONS: JSON, an object from region to address and key. Its problems never repeat what was given. */
export const LiveKitRegions = z
  .string()
  .default('')
  .transform((text, context): Readonly<Record<string, z.infer<typeof RegionSetting>>> => {
    if (text.trim() === '') return {};
    let json: unknown;
    try {
      json = JSON.parse(text);
    } catch {
      context.addIssue({ code: 'custom', message: 'is not valid JSON' });
      return z.NEVER;
    }
    const parsed = z.record(z.string().min(1), RegionSetting).safeParse(json);
    if (parsed.success) return parsed.data;
    for (const { path, message } of parsed.error.issues) {
      context.addIssue({ code: 'custom', message: `${path.join('.')}: ${message}` });
    }
    return z.NEVER;
  });

/**
 * The LiveKits of all regions, in the order of OUTDIAL_REGIONS: the first serves gateways whose region is `auto`. Empty
 * if LiveKit is not set up at all.
 *
 * @throws if some regions have one and others do not, or a setting is incomplete
 */
export function liveKitSettings(env: Env): readonly LiveKitSetting[] {
  const { OUTDIAL_LIVEKIT_REGIONS: named, OUTDIAL_REGIONS: names } = env;
  const { OUTDIAL_LIVEKIT_URL: url = '', OUTDIAL_LIVEKIT_API_KEY: apiKey = '' } = env;
  const { OUTDIAL_LIVEKIT_API_SECRET: apiSecret = '' } = env;
  const given = [url, apiKey, apiSecret].filter((value) => value !== '');
  if (given.length === 0 && Object.keys(named).length === 0) return [];
  if (given.length > 0 && given.length < 3) {
    throw new Error('OUTDIAL_LIVEKIT_URL, OUTDIAL_LIVEKIT_API_KEY and OUTDIAL_LIVEKIT_API_SECRET belong together.');
  }
  const strangers = Object.keys(named).filter((name) => !names.includes(name));
  if (strangers.length > 0) {
    throw new Error(`OUTDIAL_LIVEKIT_REGIONS names ${strangers.join(', ')}, which OUTDIAL_REGIONS does not.`);
  }
  return names.map((name, index) => {
    const own = named[name];
    if (own !== undefined) return { name, ...own };
    if (index === 0 && given.length > 0) return { name, url, apiKey, apiSecret };
    throw new Error(`The region ${name} has no LiveKit: OUTDIAL_LIVEKIT_REGIONS does not name it.`);
  });
}

/**
 * The LiveKits of all regions at addresses for WebSockets, as browsers reach them. Empty if none is set up, or calls are
 * simulated: then no agent worker runs.
 */
export function liveKitsForBrowsers(env: Env): readonly LiveKitSetting[] {
  const { OUTDIAL_LIVEKIT_PUBLIC_URL: publicUrl = '' } = env;
  return (env.OUTDIAL_PROVIDER === 'livekit' ? liveKitSettings(env) : []).map((setting, index) => ({
    ...setting,
    url: (index === 0 && publicUrl !== '' ? publicUrl : setting.url).replace(/^http/, 'ws'),
  }));
}

/** The LiveKit that browsers talk to an agent through: that of the first region. */
export const liveKitForBrowsers = (env: Env): LiveKitSetting | null => liveKitsForBrowsers(env)[0] ?? null;

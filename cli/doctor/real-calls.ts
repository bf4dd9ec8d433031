import { modelProvider } from '../../domain/agent/models.js';
import type { Env } from '../../platform/env.js';
import { type LiveKitSetting, liveKitSettings } from '../../platform/livekit.js';
import { serviceKey } from '../roles/service-key.js';
import { failed, type Finding, ok, warning, wordsOf } from './finding.js';

/** Asks the LiveKit of each region something that needs its key, and whether it has SIP. */
export async function liveKitFindings(env: Env): Promise<Finding[]> {
  let regions: readonly LiveKitSetting[];
  try {
    regions = liveKitSettings(env);
  } catch (error) {
    return [failed('LiveKit', wordsOf(error))];
  }
  if (regions.length === 0) {
    return [
      failed(
        'LiveKit',
        'OUTDIAL_PROVIDER is livekit and no LiveKit is set.',
        'Set OUTDIAL_LIVEKIT_URL, OUTDIAL_LIVEKIT_API_KEY and OUTDIAL_LIVEKIT_API_SECRET.',
      ),
    ];
  }
  const { liveKit, sip } = await regionFindings(regions);
  return [...liveKit, ...sip];
}

/** Whether the LiveKit of each region answers, and whether each that does has SIP. */
export async function regionFindings(
  regions: readonly LiveKitSetting[],
): Promise<{ readonly liveKit: readonly Finding[]; readonly sip: readonly Finding[] }> {
  const found = await Promise.all(
    regions.map(async (region) => {
      const liveKit = await liveKitFinding(region);
      return { liveKit, sip: liveKit.state === 'ok' ? [await sipFinding(region)] : [] };
    }),
  );
  return { liveKit: found.map(({ liveKit }) => liveKit), sip: found.flatMap(({ sip }) => sip) };
}

async function liveKitFinding(region: LiveKitSetting): Promise<Finding> {
  const check = `LiveKit of ${region.name}`;
  const { host } = new URL(region.url);
  try {
    const { createLiveKitClient } = await import('../../telephony/livekit/client.js');
    await createLiveKitClient(region).participants('outdial-doctor');
    return ok(check, `${host} answers and takes the key`);
  } catch (error) {
    const remedy = 'See that it runs, and that its address, API key and secret are right.';
    return failed(check, `${host}: ${wordsOf(error)}`, remedy);
  }
}

async function sipFinding(region: LiveKitSetting): Promise<Finding> {
  const check = `SIP of ${region.name}`;
  try {
    const { requireSip } = await import('../../telephony/livekit/sip-service.js');
    await requireSip(region);
    return ok(check, 'LiveKit takes SIP requests');
  } catch (error) {
    return failed(
      check,
      `LiveKit cannot reach telephones: ${wordsOf(error)}`,
      'Run LiveKit SIP beside it, both on one redis (docs/telephony.md); LiveKit Cloud has it.',
    );
  }
}

/** Where keys of models are made. */
const keyPages: Readonly<Record<string, string>> = {
  cartesia: 'https://play.cartesia.ai/keys',
  deepgram: 'https://console.deepgram.com',
  elevenlabs: 'https://elevenlabs.io/app/settings/api-keys',
  google: 'https://aistudio.google.com/apikey',
  openai: 'https://platform.openai.com/api-keys',
};

/** Models that configs get which name none: their providers need a key of the service. */
export function modelFindings(env: Env): Finding[] {
  const { OUTDIAL_DEFAULT_STT: stt, OUTDIAL_DEFAULT_LLM: llm, OUTDIAL_DEFAULT_TTS: tts } = env;
  const ids = [...new Set([stt, llm, tts].map((model) => model.split('/')[0] ?? ''))];
  const keys = ids.flatMap((id) => {
    const { name, keyVariable = null } = modelProvider(id) ?? {};
    if (keyVariable === null || name === undefined) return [];
    const { [id]: page } = keyPages;
    return serviceKey(id) === undefined
      ? [
          warning(
            `key of ${name}`,
            `${keyVariable} is not set here: agents that use the default models need it.`,
            `Set ${keyVariable} for worker and agent${page === undefined ? '' : ` (from ${page})`}, or name other models (OUTDIAL_DEFAULT_STT, _LLM, _TTS).`,
          ),
        ]
      : [ok(`key of ${name}`, `${keyVariable} is set`)];
  });
  if (env.OUTDIAL_DEFAULT_TTS_VOICE !== undefined) return keys;
  return [
    ...keys,
    warning(
      'voice',
      'OUTDIAL_DEFAULT_TTS_VOICE is not set: every agent has to name a voice.',
      'Set it, or name a voice in each config.',
    ),
  ];
}

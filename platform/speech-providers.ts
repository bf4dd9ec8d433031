/** A speech model of a provider that has a protocol of its own. */
export interface SpeechModel {
  /** Id in the catalogue. */
  readonly provider: string;
  readonly kind: 'stt' | 'tts';
  /** The provider's own name of the model. */
  readonly model: string;
  /** Of a text-to-speech model; undefined: none. */
  readonly voice: string | undefined;
  /** Plain language code, such as `en`. */
  readonly languageCode: string;
  readonly apiKey: string;
}

/** A request that is not sent yet. */
export interface SpeechRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array<ArrayBuffer>;
}

const inJson = { 'content-type': 'application/json' };

/** What a word is asked for with, in the voice that a conversation would have, by provider. */
const speak: Readonly<Record<string, (model: SpeechModel, text: string) => SpeechRequest>> = {
  // docs.cartesia.ai, "Text to Speech (Bytes)"; the version is that of the voice agent's plug-in.
  cartesia: ({ model, voice, languageCode, apiKey }, text) => ({
    url: 'https://api.cartesia.ai/tts/bytes',
    headers: { ...inJson, 'x-api-key': apiKey, 'cartesia-version': '2025-04-16' },
    body: JSON.stringify({
      model_id: model,
      transcript: text,
      voice: { mode: 'id', id: voice },
      language: languageCode,
      output_format: { container: 'raw', encoding: 'pcm_s16le', sample_rate: 8_000 },
    }),
  }),
  // developers.deepgram.com, "Text to Speech REST": its models carry speaker and language in their names.
  deepgram: ({ model, voice, languageCode, apiKey }, text) => ({
    url: `https://api.deepgram.com/v1/speak?model=${encodeURIComponent(`${model}-${voice ?? ''}-${languageCode}`)}`,
    headers: { ...inJson, authorization: `Token ${apiKey}` },
    body: JSON.stringify({ text }),
  }),
  // elevenlabs.io/docs, "Create speech".
  elevenlabs: ({ model, voice, apiKey }, text) => ({
    url: `https://api.elevenlabs.io/v1/text-to-speech/${encodeURIComponent(voice ?? '')}`,
    headers: { ...inJson, 'xi-api-key': apiKey },
    body: JSON.stringify({ text, model_id: model }),
  }),
};

/**
 * How a text-to-speech model is asked for a word.
 *
 * @returns undefined if nothing here knows the provider's protocol
 */
export const speechRequest = (model: SpeechModel, text: string): SpeechRequest | undefined =>
  speak[model.provider]?.(model, text);

/**
 * How a speech-to-text model is asked for what is said in a recording.
 *
 * @param wav the recording
 * @returns undefined if nothing here knows the provider's protocol, or if the model hears streams alone
 */
export function hearingRequest(
  { provider, model, languageCode, apiKey }: SpeechModel,
  wav: Uint8Array<ArrayBuffer>,
): SpeechRequest | undefined {
  // developers.deepgram.com, "Pre-recorded audio"; its Flux models have no such request.
  if (provider !== 'deepgram' || !model.startsWith('nova-')) return undefined;
  const query = new URLSearchParams({ model, language: languageCode });
  return {
    url: `https://api.deepgram.com/v1/listen?${query.toString()}`,
    headers: { 'content-type': 'audio/wav', authorization: `Token ${apiKey}` },
    body: wav,
  };
}

/**
 * The models a config can name, as data: what the voice agent's plugins can reach (agent/models/models.ts; agent/test/models.test.ts
 * holds that the two are one list). Add a model here and it is valid, listed and documented; nothing else knows a model by
 * name. Ids are in lower case, as configs store them.
 */

/** What a model does, and so which slot takes it. */
export const modelKinds = ['stt', 'llm', 'tts', 'realtime', 'turn-detection', 'noise-cancellation'] as const;
export type ModelKind = (typeof modelKinds)[number];

export interface CatalogModel {
  /** The part of the slug after the provider. */
  readonly id: string;
  readonly kind: ModelKind;
  /** Plain language codes it understands or speaks; `any` if it is not bound to a list. */
  readonly languages: readonly string[] | 'any';
  /** Voices of a `tts` or `realtime` model; `open` if the provider's ids are free (cloned voices, a voice library). */
  readonly voices: readonly string[] | 'open';
}

export interface ModelProvider {
  readonly id: string;
  readonly name: string;
  /** Environment variable of the service's own key; null if the models run inside the agent and need none. */
  readonly keyVariable: string | null;
  readonly models: readonly CatalogModel[];
  /** Kinds for which any model id is accepted: the provider serves whatever its operator has installed. */
  readonly openKinds: readonly ModelKind[];
}

const words = (text: string): string[] => text.split(/\s+/).filter((word) => word !== '');

const models =
  (kind: ModelKind) =>
  (ids: string, languages = 'any', voices = 'open'): CatalogModel[] =>
    words(ids).map((id) => ({
      id,
      kind,
      languages: languages === 'any' ? 'any' : words(languages),
      voices: voices === 'open' ? 'open' : words(voices),
    }));
const stt = models('stt');
const llm = models('llm');
const tts = models('tts');
const realtime = models('realtime');
const turnDetection = models('turn-detection');
const noiseCancellation = models('noise-cancellation');

const provider = (
  id: string,
  name: string,
  keyVariable: string | null,
  ...lists: readonly CatalogModel[][]
): ModelProvider => ({ id, name, keyVariable, models: lists.flat(), openKinds: [] });

const whisper = `af ar az be bg bs ca cs cy da de el en es et fa fi fil fr gl he hi hr hu hy id is it ja kk kn ko lt lv mk
  mr ms ne nl no pl pt ro ru sk sl sr sv sw ta th tl tr uk ur vi yue zh`;
const indian = 'bn en gu hi kn ml mr or pa ta te';
const sonic2 = 'de en es fr hi it ja ko nl pl pt ru sv tr zh';
const sonic3 = `${sonic2} ar bg bn cs da el fi fil gu he hr hu id ka kn ml mr ms no pa ro sk ta te th tl uk vi`;
const elevenMultilingual = `ar bg cs da de el en es fi fil fr hi hr id it ja ko ms nl pl pt ro ru sk sv ta tl tr uk zh`;
const elevenFlash = `${elevenMultilingual} hu no vi`;
const elevenV3 = `${elevenFlash} af as az be bn bs ca cy et fa gl gu ha he hy is jv ka kk kn lt lv mk ml mr ne pa ps sd sl
  so sr sw te th ur yue`;
const googleSpeech = `${elevenV3} am eu jv km lo mn my or si sq uz yo zu`;
const nova2 = `bg ca cs da de el en es et fi fr hi hu id it ja ko lt lv ms nl no pl pt ro ru sk sv th tr uk vi yue zh`;
const nova3 = `${nova2} be bn bs fil hr kn mk mr sl sr ta te tl`;
const gemini = `ar bn de en es fr gu hi id it ja kn ko ml mr nl pl pt ro ru ta te th tr uk vi zh`;

const openaiSpeakers = 'alloy ash coral echo fable nova onyx sage shimmer';
const openaiRealtime = 'alloy ash ballad cedar coral echo marin sage shimmer verse';
const geminiSpeakers = `Achernar Achird Algenib Algieba Alnilam Aoede Autonoe Callirrhoe Charon Despina Enceladus Erinome
  Fenrir Gacrux Iapetus Kore Laomedeia Leda Orus Puck Pulcherrima Rasalgethi Sadachbia Sadaltager Schedar Sulafat Umbriel
  Vindemiatrix Zephyr Zubenelgenubi`;
const auraSpeakers = `alvaro amalthea andromeda apollo aquila arcas aries asteria athena atlas aurora callista carina celeste
  cora cordelia delia diana draco electra estrella harmonia helena hera hermes hyperion iris janus javier juno jupiter luna
  mars minerva neptune nestor odysseus ophelia orion orpheus pandora phoebe pluto saturn selena selene sirio thalia theia
  vesta zeus`;
const bulbul2Speakers = 'abhilash anushka arya hitesh karun manisha vidya';
const bulbul3Speakers = `aayan aditya advait amelia amit anand ashutosh dev gokul ishita kabir kavitha kavya manan mani mohit
  neha pooja priya rahul ratan rehan ritu rohan roopa rupali shreya shruti shubh simran soham sophia suhani sumit sunny tanya
  tarun varun vijay`;

/** Every provider, by id. */
export const modelProviders: readonly ModelProvider[] = [
  provider(
    'anthropic',
    'Anthropic',
    'ANTHROPIC_API_KEY',
    llm('claude-opus-4-5 claude-sonnet-4-5 claude-haiku-4-5 claude-opus-4-1 claude-sonnet-4-0'),
  ),
  provider(
    'cartesia',
    'Cartesia',
    'CARTESIA_API_KEY',
    stt('ink-whisper ink-2', whisper),
    tts('sonic sonic-2 sonic-turbo', sonic2),
    tts('sonic-3 sonic-3.5', sonic3),
  ),
  {
    ...provider('custom', 'Custom (OpenAI protocol at a base URL of yours)', 'OUTDIAL_CUSTOM_API_KEY'),
    openKinds: ['stt', 'llm', 'tts', 'realtime'],
  },
  provider(
    'deepgram',
    'Deepgram',
    'DEEPGRAM_API_KEY',
    stt('nova-3', nova3),
    stt('nova-3-medical nova-2-medical nova-2-phonecall nova-2-conversationalai flux-general flux-general-en', 'en'),
    stt('nova-2', nova2),
    stt('flux-general-multi', 'de en es fr hi it ja nl pt ru'),
    tts('aura-2', 'en es', auraSpeakers),
  ),
  provider('deepseek-ai', 'DeepSeek', 'DEEPSEEK_API_KEY', llm('deepseek-v3 deepseek-v3.1 deepseek-v3.2')),
  provider(
    'elevenlabs',
    'ElevenLabs',
    'ELEVENLABS_API_KEY',
    stt('scribe_v2_realtime', googleSpeech),
    tts('eleven_flash_v2 eleven_turbo_v2', 'en'),
    tts('eleven_flash_v2_5 eleven_turbo_v2_5', elevenFlash),
    tts('eleven_multilingual_v2', elevenMultilingual),
    tts('eleven_v3', elevenV3),
  ),
  provider(
    'google',
    'Google',
    'GOOGLE_API_KEY',
    llm('gemini-2.5-flash gemini-2.5-flash-lite gemini-2.5-pro gemini-3-flash gemini-3.1-flash-lite gemini-3.1-pro'),
    llm('gemini-2.0-flash gemini-3.5-flash'),
    tts('gemini-2.5-flash-tts gemini-2.5-pro-tts gemini-3.1-flash-tts-preview', gemini, geminiSpeakers),
    realtime('gemini-3.1-flash-live-preview gemini-3.8-live', gemini, geminiSpeakers),
    realtime('gemini-2.5-flash-native-audio-preview-12-2025', gemini, geminiSpeakers),
  ),
  provider(
    'groq',
    'Groq',
    'GROQ_API_KEY',
    stt('whisper-large-v3 whisper-large-v3-turbo', whisper),
    llm('llama-3.1-8b-instant llama-3.3-70b-versatile openai/gpt-oss-120b openai/gpt-oss-20b'),
  ),
  provider(
    'inworld',
    'Inworld',
    'INWORLD_API_KEY',
    tts('inworld-tts-1 inworld-tts-1-max inworld-tts-1.5 inworld-tts-2', 'de en es fr it ja ko nl pl pt ru zh'),
  ),
  provider(
    'livekit',
    'LiveKit',
    null,
    turnDetection('turn-detector turn-detector-v1-mini', 'ar de en es fr hi id it ja ko nl pt tr zh'),
  ),
  provider('moonshotai', 'Moonshot AI', 'MOONSHOT_API_KEY', llm('kimi-k2-instruct kimi-k2.5 kimi-k2.6')),
  provider(
    'openai',
    'OpenAI',
    'OPENAI_API_KEY',
    stt('gpt-4o-transcribe gpt-4o-mini-transcribe whisper-1', whisper),
    llm('gpt-4o gpt-4o-mini gpt-4.1 gpt-4.1-mini gpt-4.1-nano gpt-5 gpt-5-mini gpt-5-nano gpt-5.1 gpt-5.2 gpt-5.4'),
    llm('gpt-5.4-mini gpt-5.4-nano gpt-5.5 gpt-oss-120b'),
    tts('gpt-4o-mini-tts', whisper, `${openaiSpeakers} ballad cedar marin verse`),
    tts('tts-1 tts-1-hd', whisper, openaiSpeakers),
    realtime(
      'gpt-realtime gpt-realtime-mini gpt-4o-realtime-preview gpt-4o-mini-realtime-preview',
      whisper,
      openaiRealtime,
    ),
  ),
  provider(
    'rime',
    'Rime',
    'RIME_API_KEY',
    tts('mist mistv2 mistv3 coda', 'de en es fr'),
    tts('arcana', 'ar de en es fr he hi ja pt'),
  ),
  provider(
    'sarvam',
    'Sarvam',
    'SARVAM_API_KEY',
    stt('saarika:v2.5 saaras:v2.5', indian),
    stt('saaras:v3', `${indian} as ne sd ur`),
    llm('sarvam-m sarvam-30b sarvam-105b'),
    tts('bulbul:v2', indian, bulbul2Speakers),
    tts('bulbul:v3', indian, bulbul3Speakers),
  ),
  provider('rnnoise', 'RNNoise', null, noiseCancellation('rnnoise')),
  provider('silero', 'Silero', null, turnDetection('vad')),
  provider(
    'xai',
    'xAI',
    'XAI_API_KEY',
    stt('stt-1', gemini),
    llm('grok-4-1-fast-non-reasoning grok-4-1-fast-reasoning grok-4.3 grok-4.5'),
    tts('tts-1', gemini),
  ),
];

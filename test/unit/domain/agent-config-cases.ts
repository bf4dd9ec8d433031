/** A change of the complete example, and the problems that it must cause, as `path CODE`. */
type Case = [at: readonly (string | number)[], value: unknown, ...problems: string[]];

const english = ['languages', 'English'] as const;
export const tts = [...english, 'tts', 0] as const;
const llm = [...english, 'llm', 0] as const;
const analysed = ['analysis', 'schema'];
const manyProperties = (count: number) =>
  Object.fromEntries(
    ['kept', ...Array.from({ length: count - 1 }, (_each, index) => `p${index}`)].map((name) => [
      name,
      { type: 'boolean' },
    ]),
  );
const voice = ['voiceProcessing'] as const;

export const cases: readonly Case[] = [
  // shows: config.name-languages
  [['name'], undefined, 'name REQUIRED'],
  [['name'], null, 'name REQUIRED'],
  [['name'], '', 'name REQUIRED'],
  [['name'], ' \t', 'name REQUIRED'],
  [['name'], 7, 'name INVALID_TYPE'],
  [['name'], 'n'.repeat(256)],
  [['name'], 'n'.repeat(257), 'name TOO_LONG'],
  [['name'], 'NUL \0', 'name INVALID_VALUE'],
  [['name'], 'half \ud83d', 'name INVALID_VALUE'],
  // shows: validation.unknown-key-path
  [['nmae'], 'x', 'nmae UNRECOGNIZED_KEY'],
  [['versionName'], 'v2', 'versionName UNRECOGNIZED_KEY'],
  // shows: config.name-languages
  [['languages'], undefined, 'defaultLanguage DEFAULT_LANGUAGE_MISSING', 'languages REQUIRED'],
  [['languages'], {}, 'defaultLanguage DEFAULT_LANGUAGE_MISSING', 'languages REQUIRED'],
  [['languages'], { hindi: null }, 'defaultLanguage DEFAULT_LANGUAGE_MISSING', 'languages REQUIRED'],
  [['languages'], [], 'defaultLanguage DEFAULT_LANGUAGE_MISSING', 'languages INVALID_TYPE'],
  // shows: config.languages-by-name
  [['languages', 'klingon'], { prompt: 'x' }, 'languages.klingon UNKNOWN_LANGUAGE'],
  [['languages', 'constructor'], { prompt: 'x' }, 'languages.constructor UNKNOWN_LANGUAGE'],
  // shows: validation.duplicate-language
  [['languages', 'HINDI'], { prompt: 'x' }, 'languages.HINDI DUPLICATE_LANGUAGE'],
  [['languages', 'french'], 'prompt', 'languages.french INVALID_TYPE'],
  [['languages', 'french'], { prompt: 'x', temperature: 1 }, 'languages.french.temperature UNRECOGNIZED_KEY'],
  // shows: config.default-language
  [['defaultLanguage'], 'HINDI'],
  [['defaultLanguage'], 'klingon', 'defaultLanguage UNKNOWN_LANGUAGE'],
  [['defaultLanguage'], 'french', 'defaultLanguage DEFAULT_LANGUAGE_MISSING'],
  [['defaultLanguage'], 5, 'defaultLanguage INVALID_TYPE'],
  // shows: block.prompt
  [[...english, 'prompt'], undefined, 'languages.English.prompt REQUIRED'],
  // shows: validation.limits
  [[...english, 'prompt'], 'p'.repeat(100_000)],
  [[...english, 'prompt'], 'p'.repeat(100_001), 'languages.English.prompt TOO_LONG'],
  // shows: block.greeting
  [[...english, 'greeting', 'text'], undefined, 'languages.English.greeting.text REQUIRED'],
  [[...english, 'greeting', 'text'], 'g'.repeat(5_000)],
  [[...english, 'greeting', 'text'], 'g'.repeat(5_001), 'languages.English.greeting.text TOO_LONG'],
  [[...english, 'greeting', 'interruptible'], 'no', 'languages.English.greeting.interruptible INVALID_TYPE'],
  // The block that comes first sets the measure, and interruptible is true if it is left out.
  [[...english, 'greeting', 'interruptible'], true, 'languages.hindi.greeting.interruptible LANGUAGES_DISAGREE'],
  [[...english, 'greeting', 'interruptible'], undefined, 'languages.hindi.greeting.interruptible LANGUAGES_DISAGREE'],
  [[...english, 'greeting'], undefined],
  [[...english, 'endCall', 'enabled'], false, 'languages.hindi.endCall.enabled LANGUAGES_DISAGREE'],
  [[...english, 'endCall', 'when'], 'never', 'languages.hindi.endCall.when LANGUAGES_DISAGREE'],
  [[...english, 'endCall', 'when'], undefined, 'languages.hindi.endCall.when LANGUAGES_DISAGREE'],
  [[...english, 'endCall'], undefined],
  [[...english, 'stt'], { model: 'deepgram/nova-3' }, 'languages.English.stt INVALID_TYPE'],
  [[...english, 'stt'], [null], 'languages.English.stt[0] INVALID_TYPE'],
  [[...english, 'stt'], []],
  [[...english, 'stt', 1, 'model'], 'sarvam/bulbul:v2', 'languages.English.stt[1].model WRONG_MODEL_KIND'],
  [[...english, 'stt', 0], { model: 'rime/arcana', voice: 'x' }, 'languages.English.stt[0].model WRONG_MODEL_KIND'],
  // shows: model.only-these-fields
  [[...llm, 'temperature'], 0.4, 'languages.English.llm[0].temperature UNRECOGNIZED_KEY'],
  [[...llm, 'model'], undefined, 'languages.English.llm[0].model REQUIRED'],
  // shows: model.slug
  [[...llm, 'model'], 'gpt-4.1', 'languages.English.llm[0].model INVALID_SLUG'],
  [[...llm, 'model'], '', 'languages.English.llm[0].model INVALID_SLUG'],
  [[...llm, 'model'], 'openai/ gpt', 'languages.English.llm[0].model INVALID_SLUG'],
  [[...llm, 'model'], 'openai/', 'languages.English.llm[0].model INVALID_SLUG'],
  [[...llm, 'model'], 'acme/gpt-4.1', 'languages.English.llm[0].model UNKNOWN_PROVIDER'],
  [[...llm, 'model'], '__proto__/gpt', 'languages.English.llm[0].model INVALID_SLUG'],
  [[...llm, 'model'], 'openai/gpt-0', 'languages.English.llm[0].model UNKNOWN_MODEL'],
  [[...llm, 'model'], 'openai/tts-1', 'languages.English.llm[0].model WRONG_MODEL_KIND'],
  [[...llm, 'model'], 'groq/openai/gpt-oss-120b'],
  [[...llm, 'model'], 'custom/my-own:7b'],
  [[...llm, 'apiKey'], '••••5678', 'languages.English.llm[0].apiKey MASKED_API_KEY'],
  [[...llm, 'apiKey'], 'sk-•', 'languages.English.llm[0].apiKey MASKED_API_KEY'],
  [[...llm, 'apiKey'], ' ', 'languages.English.llm[0].apiKey INVALID_VALUE'],
  [[...llm, 'apiKey'], 5, 'languages.English.llm[0].apiKey INVALID_TYPE'],
  // shows: block.tts-voice
  [[...tts, 'voice'], undefined, 'languages.English.tts[0].voice VOICE_REQUIRED'],
  [[...tts, 'voice'], '', 'languages.English.tts[0].voice VOICE_REQUIRED'],
  [[...tts, 'voice'], 5, 'languages.English.tts[0].voice INVALID_TYPE'],
  [[...english, 'tts', 1, 'voice'], 'nobody', 'languages.English.tts[1].voice UNKNOWN_VOICE'],
  // shows: model.language
  [[...tts, 'language'], 'en-GB'],
  [[...tts, 'language'], 'en'],
  [[...tts, 'language'], 'hi-IN', 'languages.English.tts[0].language INVALID_VALUE'],
  [['languages', 'hindi', 'realtime', 0, 'voice'], 'nobody', 'languages.hindi.realtime[0].voice UNKNOWN_VOICE'],
  [['languages', 'hindi', 'realtime', 0, 'voice'], undefined],
  // Beside a realtime model the three slots are not read, whatever they hold.
  [['languages', 'hindi', 'tts'], [{ nonsense: '\0' }]],
  [['languages', 'hindi', 'stt'], 'nonsense'],
  [['languages', 'hindi', 'realtime'], []],
  [
    ['languages', 'hindi'],
    { prompt: 'x', realtime: [], stt: [{ model: 'deepgram/flux-general-en' }] },
    'languages.hindi.stt[0].model UNSUPPORTED_LANGUAGE',
  ],
  [
    ['languages', 'tamil'],
    { prompt: 'x', turnDetection: { model: 'livekit/turn-detector' } },
    'languages.tamil.turnDetection.model UNSUPPORTED_LANGUAGE',
  ],
  // shows: block.turn-detection
  [[...english, 'turnDetection', 'model'], 'rnnoise/rnnoise', 'languages.English.turnDetection.model WRONG_MODEL_KIND'],
  [[...english, 'turnDetection', 'mode'], 'eager', 'languages.English.turnDetection.mode INVALID_VALUE'],
  [[...english, 'turnDetection', 'mode'], 1, 'languages.English.turnDetection.mode INVALID_TYPE'],
  // shows: limits.thresholds
  [[...english, 'turnDetection', 'threshold'], 0],
  [[...english, 'turnDetection', 'threshold'], 1],
  [[...english, 'turnDetection', 'threshold'], 1.01, 'languages.English.turnDetection.threshold OUT_OF_RANGE'],
  [[...english, 'turnDetection', 'threshold'], -0.01, 'languages.English.turnDetection.threshold OUT_OF_RANGE'],
  [[...english, 'turnDetection', 'threshold'], Infinity, 'languages.English.turnDetection.threshold OUT_OF_RANGE'],
  [[...english, 'turnDetection', 'threshold'], '0.5', 'languages.English.turnDetection.threshold INVALID_TYPE'],
  // shows: block.waits, errors.wake-up
  [
    [...english, 'turnDetection', 'maxWaitSeconds'],
    0.9,
    'languages.English.turnDetection.maxWaitSeconds MAX_WAIT_BELOW_MIN',
  ],
  [[...english, 'turnDetection', 'minWaitSeconds'], -1, 'languages.English.turnDetection.minWaitSeconds OUT_OF_RANGE'],
  // shows: block.wake-up, errors.wake-up
  [
    [...english, 'wakeUp'],
    { enabled: true },
    'languages.English.wakeUp.afterSeconds WAKE_UP_INCOMPLETE',
    'languages.English.wakeUp.message WAKE_UP_INCOMPLETE',
  ],
  [[...english, 'wakeUp', 'message'], ' ', 'languages.English.wakeUp.message WAKE_UP_INCOMPLETE'],
  [[...english, 'wakeUp', 'afterSeconds'], null, 'languages.English.wakeUp.afterSeconds WAKE_UP_INCOMPLETE'],
  [[...english, 'wakeUp', 'afterSeconds'], 0],
  [[...english, 'wakeUp', 'afterSeconds'], -1, 'languages.English.wakeUp.afterSeconds OUT_OF_RANGE'],
  [[...english, 'wakeUp'], { afterSeconds: 3 }],
  // shows: voice.vad-required, errors.wake-up
  [[...voice, 'vad'], undefined, 'voiceProcessing.vad VAD_REQUIRED'],
  [[...voice, 'vad'], 'high', 'voiceProcessing.vad INVALID_TYPE'],
  // shows: voice.vad
  [[...voice, 'vad'], {}, 'voiceProcessing.vad.sensitivity REQUIRED'],
  [[...voice, 'vad', 'sensitivity'], 'extreme', 'voiceProcessing.vad.sensitivity INVALID_VALUE'],
  // shows: limits.thresholds
  [[...voice, 'vad', 'threshold'], 2, 'voiceProcessing.vad.threshold OUT_OF_RANGE'],
  [[...voice, 'vad', 'minSpeechDuration'], -1, 'voiceProcessing.vad.minSpeechDuration OUT_OF_RANGE'],
  [[...voice, 'vad', 'minSilenceDuration'], '1', 'voiceProcessing.vad.minSilenceDuration INVALID_TYPE'],
  [[...voice], { interruption: { mode: 'stt' } }],
  // shows: voice.interruption
  [[...voice, 'interruption', 'mode'], 'never', 'voiceProcessing.interruption.mode INVALID_VALUE'],
  [[...voice, 'interruption', 'minWords'], 1.5, 'voiceProcessing.interruption.minWords INVALID_TYPE'],
  [[...voice, 'interruption', 'minWords'], -1, 'voiceProcessing.interruption.minWords OUT_OF_RANGE'],
  [[...voice, 'interruption', 'minDuration'], -1, 'voiceProcessing.interruption.minDuration OUT_OF_RANGE'],
  [[...voice, 'noiseCancellation'], { provider: 'RNNoise' }],
  // shows: voice.noise
  [[...voice, 'noiseCancellation'], {}, 'voiceProcessing.noiseCancellation INVALID_VALUE'],
  [
    [...voice, 'noiseCancellation'],
    { provider: 'rnnoise', model: 'rnnoise/rnnoise' },
    'voiceProcessing.noiseCancellation INVALID_VALUE',
  ],
  [
    [...voice, 'noiseCancellation'],
    { provider: 'acme' },
    'voiceProcessing.noiseCancellation.provider UNKNOWN_PROVIDER',
  ],
  [
    [...voice, 'noiseCancellation'],
    { provider: 'rime' },
    'voiceProcessing.noiseCancellation.provider WRONG_MODEL_KIND',
  ],
  // Models that only a cloud serves are none that an agent here could use.
  [[...voice, 'noiseCancellation'], { model: 'krisp/bvc' }, 'voiceProcessing.noiseCancellation.model UNKNOWN_PROVIDER'],
  [[...voice, 'noiseCancellation'], { model: 'rnnoise/nope' }, 'voiceProcessing.noiseCancellation.model UNKNOWN_MODEL'],
  // shows: config.knowledge-bases, validation.knowledge-base
  [['knowledgeBaseIds'], ['kb_known', 'kb_other'], 'knowledgeBaseIds[1] UNKNOWN_KNOWLEDGE_BASE'],
  [['knowledgeBaseIds'], [5], 'knowledgeBaseIds[0] INVALID_TYPE'],
  [['knowledgeBaseIds'], 'kb_known', 'knowledgeBaseIds INVALID_TYPE'],
  // shows: config.tools, validation.knowledge-base
  [['tools'], ['tool_other', 'tool_known'], 'tools[0] UNKNOWN_TOOL'],
  [['callSummary', 'enabled'], 'yes', 'callSummary.enabled INVALID_TYPE'],
  [['callSummary', 'llm'], [{ model: 'openai/gpt-4.1' }], 'callSummary.llm INVALID_TYPE'],
  [['callSummary', 'llm', 'model'], 'deepgram/nova-3', 'callSummary.llm.model WRONG_MODEL_KIND'],
  [['callSummary', 'llm', 'apiKey'], '••••', 'callSummary.llm.apiKey MASKED_API_KEY'],
  [['callSummary', 'llm', 'language'], 'fr-CA'],
  [['callSummary', 'llm', 'language'], 'xx', 'callSummary.llm.language INVALID_VALUE'],
  [['callSummary', 'instruction'], 'i'.repeat(5_001), 'callSummary.instruction TOO_LONG'],
  [['callSummary', 'webhook'], {}, 'callSummary.webhook.url REQUIRED'],
  [['callSummary', 'webhook', 'url'], 'example.com/hook', 'callSummary.webhook.url INVALID_URL'],
  [['callSummary', 'webhook', 'url'], 'https://elsewhere.test/hook', 'callSummary.webhook.url INVALID_URL'],
  [['callSummary', 'webhook', 'secret'], 'x', 'callSummary.webhook.secret UNRECOGNIZED_KEY'],
  // shows: analysis.shape
  [['analysis', 'enabled'], 'yes', 'analysis.enabled INVALID_TYPE'],
  [['analysis', 'webhook'], {}, 'analysis.webhook UNRECOGNIZED_KEY'],
  [['analysis', 'model', 'model'], 'deepgram/nova-3', 'analysis.model.model WRONG_MODEL_KIND'],
  [['analysis', 'model', 'apiKey'], '••••', 'analysis.model.apiKey MASKED_API_KEY'],
  [['analysis', 'success'], 'mood', 'analysis.success INVALID_VALUE'],
  [['analysis', 'success'], 'toString', 'analysis.success INVALID_VALUE'],
  [['analysis', 'success'], undefined],
  [[...analysed, 'type'], 'array', 'analysis.schema.type INVALID_VALUE'],
  [[...analysed, 'required'], ['kept', 'lost'], 'analysis.schema.required[1] INVALID_VALUE'],
  [[...analysed, 'additionalProperties'], true, 'analysis.schema.additionalProperties INVALID_VALUE'],
  [[...analysed, '$ref'], '#', 'analysis.schema.$ref UNRECOGNIZED_KEY'],
  [[...analysed, 'properties', '2nd name'], { type: 'number' }, 'analysis.schema.properties.2nd name INVALID_VALUE'],
  [[...analysed, 'properties', 'day', 'type'], 'object', 'analysis.schema.properties.day.type INVALID_VALUE'],
  [[...analysed, 'properties', 'day', 'pattern'], '.', 'analysis.schema.properties.day.pattern UNRECOGNIZED_KEY'],
  [[...analysed, 'properties', 'day', 'format'], 'email', 'analysis.schema.properties.day.format INVALID_VALUE'],
  [[...analysed, 'properties', 'questions', 'enum'], ['1'], 'analysis.schema.properties.questions.enum INVALID_VALUE'],
  [[...analysed, 'properties', 'mood', 'enum'], ['a', 'a'], 'analysis.schema.properties.mood.enum[1] INVALID_VALUE'],
  [[...analysed, 'properties', 'mood', 'enum'], [], 'analysis.schema.properties.mood.enum OUT_OF_RANGE'],
  [[...analysed, 'properties', 'mood', 'format'], 'date', 'analysis.schema.properties.mood.format INVALID_VALUE'],
  [[...analysed, 'properties'], manyProperties(30)],
  [[...analysed, 'properties'], manyProperties(31), 'analysis.schema.properties OUT_OF_RANGE'],
  [['advanced'], 'x', 'advanced INVALID_TYPE'],
  // shows: advanced.known
  [['advanced', 'voicemail', 'action'], 'shout', 'advanced.voicemail.action INVALID_VALUE'],
  [['advanced', 'voicemail', 'action'], null, 'advanced.voicemail.action REQUIRED'],
  [['advanced', 'voicemail', 'message'], undefined, 'advanced.voicemail.message REQUIRED'],
  [['advanced', 'transfer'], {}, 'advanced.transfer.to REQUIRED'],
  [['advanced', 'transfer', 'to'], '{{desk}}'],
  [['advanced', 'transfer', 'to'], 'sip:desk@example.com'],
  [['advanced', 'transfer', 'to'], 'the desk', 'advanced.transfer.to INVALID_VALUE'],
  [['advanced', 'other'], 'half \udc00', 'advanced.other INVALID_VALUE'],
  [['advanced', 'other'], Infinity, 'advanced.other OUT_OF_RANGE'],
  [['advanced', 'voicemail'], null],
];

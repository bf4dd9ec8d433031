import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { validationCodes } from '../../../domain/agent-config/codes.js';
import { validateAgentConfig, validateAgentUpdate } from '../../../domain/agent-config/validate.js';
import { changed, complete, context, minimal } from './agent-config-examples.js';

/** Path and code of every problem, as `path CODE`. */
function problemsOf(input: unknown): string[] {
  const result = validateAgentConfig(input, context);
  return result.ok ? [] : result.problems.map(({ path, code }) => `${path} ${code}`);
}

type Case = [at: readonly (string | number)[], value: unknown, ...problems: string[]];

const english = ['languages', 'English'] as const;
const tts = [...english, 'tts', 0] as const;
const llm = [...english, 'llm', 0] as const;
const voice = ['voiceProcessing'] as const;

const cases: Case[] = [
  [['name'], undefined, 'name REQUIRED'],
  [['name'], null, 'name REQUIRED'],
  [['name'], '', 'name REQUIRED'],
  [['name'], ' \t', 'name REQUIRED'],
  [['name'], 7, 'name INVALID_TYPE'],
  [['name'], 'n'.repeat(256)],
  [['name'], 'n'.repeat(257), 'name TOO_LONG'],
  [['name'], 'NUL \0', 'name INVALID_VALUE'],
  [['name'], 'half \ud83d', 'name INVALID_VALUE'],
  [['nmae'], 'x', 'nmae UNRECOGNIZED_KEY'],
  [['versionName'], 'v2', 'versionName UNRECOGNIZED_KEY'],
  [['languages'], undefined, 'defaultLanguage DEFAULT_LANGUAGE_MISSING', 'languages REQUIRED'],
  [['languages'], {}, 'defaultLanguage DEFAULT_LANGUAGE_MISSING', 'languages REQUIRED'],
  [['languages'], { hindi: null }, 'defaultLanguage DEFAULT_LANGUAGE_MISSING', 'languages REQUIRED'],
  [['languages'], [], 'defaultLanguage DEFAULT_LANGUAGE_MISSING', 'languages INVALID_TYPE'],
  [['languages', 'klingon'], { prompt: 'x' }, 'languages.klingon UNKNOWN_LANGUAGE'],
  [['languages', 'constructor'], { prompt: 'x' }, 'languages.constructor UNKNOWN_LANGUAGE'],
  [['languages', 'HINDI'], { prompt: 'x' }, 'languages.HINDI DUPLICATE_LANGUAGE'],
  [['languages', 'french'], 'prompt', 'languages.french INVALID_TYPE'],
  [['languages', 'french'], { prompt: 'x', temperature: 1 }, 'languages.french.temperature UNRECOGNIZED_KEY'],
  [['defaultLanguage'], 'HINDI'],
  [['defaultLanguage'], 'klingon', 'defaultLanguage UNKNOWN_LANGUAGE'],
  [['defaultLanguage'], 'french', 'defaultLanguage DEFAULT_LANGUAGE_MISSING'],
  [['defaultLanguage'], 5, 'defaultLanguage INVALID_TYPE'],
  [[...english, 'prompt'], undefined, 'languages.English.prompt REQUIRED'],
  [[...english, 'prompt'], 'p'.repeat(100_000)],
  [[...english, 'prompt'], 'p'.repeat(100_001), 'languages.English.prompt TOO_LONG'],
  [[...english, 'greeting', 'text'], undefined, 'languages.English.greeting.text REQUIRED'],
  [[...english, 'greeting', 'text'], 'g'.repeat(5_000)],
  [[...english, 'greeting', 'text'], 'g'.repeat(5_001), 'languages.English.greeting.text TOO_LONG'],
  [[...english, 'greeting', 'interruptible'], 'no', 'languages.English.greeting.interruptible INVALID_TYPE'],
  // The block that comes first sets the measure, and interruptible is true where it is left out.
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
  [[...llm, 'temperature'], 0.4, 'languages.English.llm[0].temperature UNRECOGNIZED_KEY'],
  [[...llm, 'model'], undefined, 'languages.English.llm[0].model REQUIRED'],
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
  [[...tts, 'voice'], undefined, 'languages.English.tts[0].voice VOICE_REQUIRED'],
  [[...tts, 'voice'], '', 'languages.English.tts[0].voice VOICE_REQUIRED'],
  [[...tts, 'voice'], 5, 'languages.English.tts[0].voice INVALID_TYPE'],
  [[...english, 'tts', 1, 'voice'], 'nobody', 'languages.English.tts[1].voice UNKNOWN_VOICE'],
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
  [[...english, 'turnDetection', 'model'], 'rnnoise/rnnoise', 'languages.English.turnDetection.model WRONG_MODEL_KIND'],
  [[...english, 'turnDetection', 'mode'], 'eager', 'languages.English.turnDetection.mode INVALID_VALUE'],
  [[...english, 'turnDetection', 'mode'], 1, 'languages.English.turnDetection.mode INVALID_TYPE'],
  [[...english, 'turnDetection', 'threshold'], 0],
  [[...english, 'turnDetection', 'threshold'], 1],
  [[...english, 'turnDetection', 'threshold'], 1.01, 'languages.English.turnDetection.threshold OUT_OF_RANGE'],
  [[...english, 'turnDetection', 'threshold'], -0.01, 'languages.English.turnDetection.threshold OUT_OF_RANGE'],
  [[...english, 'turnDetection', 'threshold'], Infinity, 'languages.English.turnDetection.threshold OUT_OF_RANGE'],
  [[...english, 'turnDetection', 'threshold'], '0.5', 'languages.English.turnDetection.threshold INVALID_TYPE'],
  [
    [...english, 'turnDetection', 'maxWaitSeconds'],
    0.9,
    'languages.English.turnDetection.maxWaitSeconds MAX_WAIT_BELOW_MIN',
  ],
  [[...english, 'turnDetection', 'minWaitSeconds'], -1, 'languages.English.turnDetection.minWaitSeconds OUT_OF_RANGE'],
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
  [[...voice, 'vad'], undefined, 'voiceProcessing.vad VAD_REQUIRED'],
  [[...voice, 'vad'], 'high', 'voiceProcessing.vad INVALID_TYPE'],
  [[...voice, 'vad'], {}, 'voiceProcessing.vad.sensitivity REQUIRED'],
  [[...voice, 'vad', 'sensitivity'], 'extreme', 'voiceProcessing.vad.sensitivity INVALID_VALUE'],
  [[...voice, 'vad', 'threshold'], 2, 'voiceProcessing.vad.threshold OUT_OF_RANGE'],
  [[...voice, 'vad', 'minSpeechDuration'], -1, 'voiceProcessing.vad.minSpeechDuration OUT_OF_RANGE'],
  [[...voice, 'vad', 'minSilenceDuration'], '1', 'voiceProcessing.vad.minSilenceDuration INVALID_TYPE'],
  [[...voice], { interruption: { mode: 'stt' } }],
  [[...voice, 'interruption', 'mode'], 'never', 'voiceProcessing.interruption.mode INVALID_VALUE'],
  [[...voice, 'interruption', 'minWords'], 1.5, 'voiceProcessing.interruption.minWords INVALID_TYPE'],
  [[...voice, 'interruption', 'minWords'], -1, 'voiceProcessing.interruption.minWords OUT_OF_RANGE'],
  [[...voice, 'interruption', 'minDuration'], -1, 'voiceProcessing.interruption.minDuration OUT_OF_RANGE'],
  [[...voice, 'noiseCancellation'], { provider: 'RNNoise' }],
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
  [['knowledgeBaseIds'], ['kb_known', 'kb_other'], 'knowledgeBaseIds[1] UNKNOWN_KNOWLEDGE_BASE'],
  [['knowledgeBaseIds'], [5], 'knowledgeBaseIds[0] INVALID_TYPE'],
  [['knowledgeBaseIds'], 'kb_known', 'knowledgeBaseIds INVALID_TYPE'],
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
  [['advanced'], 'x', 'advanced INVALID_TYPE'],
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

describe('one mistake is reported with its code at its path, and nothing else is', () => {
  test.each(cases)('%j = %j', (at, value, ...problems) => {
    expect(problemsOf(changed(at, value))).toEqual(problems);
  });
});

test('the complete example has nothing wrong with it, nor has the least one', () => {
  expect(problemsOf(complete)).toEqual([]);
  expect(problemsOf(minimal)).toEqual([]);
});

test('every problem of a config is in one answer, sorted by path', () => {
  const problems = problemsOf({
    zeal: true,
    defaultLanguage: 'french',
    languages: {
      English: { tts: [{ model: 'openai/tts-1' }], wakeUp: { enabled: true } },
      english: { prompt: 'x' },
      xx: 1,
    },
    voiceProcessing: { interruption: { mode: 'vad' } },
  });
  expect(problems).toEqual([
    'defaultLanguage DEFAULT_LANGUAGE_MISSING',
    'languages.English.prompt REQUIRED',
    'languages.English.tts[0].voice VOICE_REQUIRED',
    'languages.English.wakeUp.afterSeconds WAKE_UP_INCOMPLETE',
    'languages.English.wakeUp.message WAKE_UP_INCOMPLETE',
    'languages.english DUPLICATE_LANGUAGE',
    'languages.xx INVALID_TYPE',
    'languages.xx UNKNOWN_LANGUAGE',
    'name REQUIRED',
    'voiceProcessing.vad VAD_REQUIRED',
    'zeal UNRECOGNIZED_KEY',
  ]);
});

test('a disagreement is reported at every block that differs from the first, and at no block without the object', () => {
  const block = (interruptible?: boolean) => ({
    prompt: 'x',
    ...(interruptible === undefined ? {} : { greeting: { text: 'x', interruptible } }),
  });
  const languages = {
    french: block(),
    english: block(false),
    hindi: block(true),
    german: block(false),
    thai: block(true),
  };
  expect(problemsOf({ name: 'x', languages })).toEqual([
    'languages.hindi.greeting.interruptible LANGUAGES_DISAGREE',
    'languages.thai.greeting.interruptible LANGUAGES_DISAGREE',
  ]);
});

test.each([[], 'x', 5, true])('a body that is %j and no object is one problem at the root', (body) => {
  expect(problemsOf(body)).toEqual([' INVALID_TYPE']);
});

test.each([undefined, null, {}])('an empty body (%j) lacks what is required', (body) => {
  expect(problemsOf(body)).toEqual(['languages REQUIRED', 'name REQUIRED']);
});

test('a key called __proto__ is a key like any other', () => {
  const body: unknown = JSON.parse('{"__proto__": 1, "name": "x", "languages": {"__proto__": {"prompt": "x"}}}');
  expect(problemsOf(body)).toEqual(['__proto__ UNRECOGNIZED_KEY', 'languages.__proto__ UNKNOWN_LANGUAGE']);
});

test('nesting without end is a problem and no crash', () => {
  const deep: unknown = JSON.parse(`${'['.repeat(100_000)}${']'.repeat(100_000)}`);
  expect(problemsOf(changed(['advanced', 'deep'], deep))).toHaveLength(1);
});

test('messages say where and what in words', () => {
  const result = validateAgentConfig(changed([...tts, 'model'], 'openai/tts-9'), context);
  expect(result).toMatchObject({
    problems: [{ message: expect.stringMatching(/^languages\.English\.tts\[0\]\.model .*gpt-4o-mini-tts/) }],
  });
});

describe('the label of a version', () => {
  test.each([
    ['v2', 'v2'],
    [undefined, 'Updated via API'],
    [null, 'Updated via API'],
    ['v'.repeat(256), 'v'.repeat(256)],
  ])('%j becomes %j and is no part of the config', (versionName, label) => {
    const result = validateAgentUpdate({ ...minimal, versionName }, context);
    expect(result).toMatchObject({ ok: true, versionName: label, config: minimal });
    expect(result).not.toHaveProperty('config.versionName');
  });

  test.each([
    [5, 'INVALID_TYPE'],
    ['v'.repeat(257), 'TOO_LONG'],
  ])('%j is %s beside the problems of the config', (versionName, code) => {
    const result = validateAgentUpdate({ versionName }, context);
    expect(result.ok ? [] : result.problems.map((problem) => problem.code)).toEqual(['REQUIRED', 'REQUIRED', code]);
  });
});

test('every code but that of malformed JSON has an example here, so none is a dead promise', () => {
  const shown = new Set(cases.flatMap(([, , ...problems]) => problems.map((problem) => problem.split(' ').at(-1))));
  expect([...shown, 'INVALID_JSON', 'TOO_MANY_PROBLEMS'].toSorted()).toEqual(Object.keys(validationCodes).toSorted());
});

test('docs/validation-codes.md has the table of codes as it is', () => {
  const rows = Object.entries(validationCodes).map(([code, meaning]) => `| \`${code}\` | ${meaning} |`);
  const documented = readFileSync('docs/validation-codes.md', 'utf8').split('\n');
  const table = documented.filter((line) => line.startsWith('| `')).map((line) => line.replace(/ +/g, ' '));
  expect(table).toEqual(rows);
});

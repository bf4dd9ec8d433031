import fc from 'fast-check';
import { expect, test } from 'vitest';
import { AgentConfig } from '../../domain/agent-config/schema.js';
import { validateAgentConfig } from '../../domain/agent-config/validate.js';
import { languageNamed } from '../../domain/agent/languages.js';
import { looksMasked, maskKey } from '../../domain/agent/masked-key.js';
import { renderTemplate } from '../../domain/agent/template.js';
import { changed, complete, context } from '../unit/domain/agent-config-examples.js';

const validate = (input: unknown) => validateAgentConfig(input, context);

const anyCase = (word: string): fc.Arbitrary<string> =>
  fc.constantFrom(word, word.toUpperCase(), word.charAt(0).toUpperCase() + word.slice(1));
const sentence = fc
  .string({ minLength: 1, maxLength: 60, unit: 'grapheme' })
  .filter((text) => /[^\s\0]/.test(text) && !text.includes('\0'));
const apiKey = fc.string({ minLength: 1, maxLength: 40, unit: 'grapheme-ascii' }).filter((key) => key.trim() !== '');
const optional = { requiredKeys: ['model'] as ['model'] };
const llm = fc.record(
  { model: fc.constantFrom('openai/gpt-5', 'Google/Gemini-2.5-Pro', 'custom/any'), apiKey },
  optional,
);
const stt = fc.record({ model: fc.constantFrom('deepgram/nova-3', 'SARVAM/saarika:v2.5'), apiKey }, optional);
const tts = fc
  .record(
    { model: fc.constantFrom('cartesia/sonic-3', 'openai/tts-1', 'sarvam/bulbul:v2'), voice: fc.constant(''), apiKey },
    { requiredKeys: ['model', 'voice'] },
  )
  .map((entry) => ({ ...entry, voice: entry.model === 'openai/tts-1' ? 'alloy' : 'anushka' }));
const few = { maxLength: 3 };
const block = fc.record(
  {
    prompt: sentence,
    greeting: fc.record({ text: sentence }),
    stt: fc.array(stt, few),
    llm: fc.array(llm, few),
    tts: fc.array(tts, few),
  },
  { requiredKeys: ['prompt'] },
);
const languages = fc
  .uniqueArray(fc.constantFrom('english', 'hindi', 'tamil', 'marathi'), { minLength: 1, maxLength: 4 })
  .chain((names) => fc.tuple(...names.map((name) => fc.tuple(anyCase(name), block))))
  .map((blocks) => Object.fromEntries(blocks));
const config = fc.record(
  { name: sentence, languages, callSummary: fc.record({ enabled: fc.boolean(), llm }) },
  { requiredKeys: ['name', 'languages'] },
);

test('what the schema documents and the rules allow is accepted, and what is stored fits the schema again', () => {
  fc.assert(
    fc.property(config, (input) => {
      const result = validate(input);
      expect(result).toMatchObject({ ok: true });
      if (result.ok) expect(AgentConfig.parse(result.config)).toEqual(result.config);
    }),
  );
});

// shows: validation.nothing-added
test('storing neither adds a field nor loses one, and every language is there under its own name', () => {
  const keys = (value: unknown): string[] =>
    typeof value === 'object' && value !== null
      ? Object.entries(value).flatMap(([key, inner]) => [languageNamed(key)?.name ?? key, ...keys(inner)])
      : [];
  fc.assert(
    fc.property(config, (input) => {
      const result = validate(input);
      expect(result.ok && keys(result.config)).toEqual(keys(input));
    }),
  );
});

// shows: auth.provider-keys
test('no key of five characters or more can be read in what is stored, and each is in the list of secrets', () => {
  fc.assert(
    fc.property(
      config,
      apiKey.filter((key) => key.length > 5),
      (input, key) => {
        const secret = `sk-${key}-0000`;
        const withKey = { ...input, callSummary: { llm: { model: 'openai/gpt-5', apiKey: secret } } };
        const result = validate(withKey);
        expect(result.ok && result.config.callSummary?.llm?.apiKey).toBe('••••0000');
        expect(result.ok && result.secrets).toContainEqual({ path: 'callSummary.llm.apiKey', value: secret });
      },
    ),
  );
});

// shows: model.api-key-full
test('sending a stored config back is refused exactly where keys were masked', () => {
  fc.assert(
    fc.property(config, (input) => {
      const first = validate(input);
      if (!first.ok) throw new Error('the generator makes valid configs');
      const second = validate(first.config);
      const refused = second.ok ? [] : second.problems.map(({ path, code }) => [path, code]);
      const masked = first.secrets.map(({ path }) => [path, 'MASKED_API_KEY']);
      expect(refused).toEqual(masked.toSorted(([one = ''], [other = '']) => (one < other ? -1 : 1)));
    }),
  );
});

// shows: config.any-json
test('any JSON gets an answer, and if it is accepted the schema accepts it too', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 6 }), (input) => {
      const result = validate(input);
      expect(result.ok || result.problems.length > 0).toBe(true);
    }),
  );
});

/** Paths of every value in the complete example. */
const paths = (value: unknown): (string | number)[][] =>
  typeof value === 'object' && value !== null
    ? Object.entries(value).flatMap(([key, inner]) => {
        const step = Array.isArray(value) ? Number(key) : key;
        return [[step], ...paths(inner).map((rest) => [step, ...rest])];
      })
    : [];

// shows: block.turn-detection
test('a value of any kind in any place is refused wherever the schema refuses it', () => {
  const places = paths(complete);
  // null means left out, and slots beside a realtime model are not read: both are the validator's, not the schema's.
  const values = fc.jsonValue({ maxDepth: 2 }).filter((value) => !JSON.stringify(value).includes('null'));
  fc.assert(
    fc.property(fc.constantFrom(...places), values, (place, value) => {
      const input = changed(place, value);
      const cleaned: unknown = JSON.parse(
        JSON.stringify(input, (_key, inner: unknown) => (inner === null ? undefined : inner)),
      );
      if (!AgentConfig.safeParse(cleaned).success) expect(validate(cleaned).ok).toBe(false);
    }),
    { numRuns: 500 },
  );
});

// shows: agents.paths, validation.sorted
test('problems come sorted by path, each code once per path', () => {
  fc.assert(
    fc.property(fc.constantFrom(...paths(complete)), fc.constantFrom(...paths(complete)), (one, other) => {
      const result = validate(changed(one, 5, changed(other, [{}])));
      const where = result.ok ? [] : result.problems.map(({ path }) => path);
      expect(where).toEqual(where.toSorted((a, b) => (a < b ? -1 : a > b ? 1 : 0)));
      const codes = result.ok ? [] : result.problems.map(({ path, code }) => `${path} ${code}`);
      expect(new Set(codes).size).toBe(codes.length);
    }),
  );
});

// shows: validation.masks
test('a mask shows the last four characters at most, and is always known for a mask', () => {
  fc.assert(
    fc.property(apiKey, (key) => {
      expect(looksMasked(maskKey(key))).toBe(true);
      expect(maskKey(key).replaceAll('•', '')).toBe(key.length > 4 ? key.slice(-4) : '');
    }),
  );
});

// shows: template.data
test('rendering puts a value in as it is, whatever it holds', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (value) => {
      expect(renderTemplate('<{{column}}>', [{ column: value, x: 'y' }]).text).toBe(`<${value}>`);
    }),
  );
});

import type { Language } from '../agent/languages.js';
import { languages, variantOf } from '../agent/languages.js';
import { looksMasked } from '../agent/masked-key.js';
import type { ModelKind } from '../agent/model-catalog.js';
import { findModel, modelProvider, modelsOfKind, type NamedModel, type SlugProblem, speaks } from '../agent/models.js';
import type { Path, Report } from './problems.js';
import { isObject, property, textAt } from '../input/json-value.js';

const kindNames: Readonly<Record<ModelKind, string>> = {
  stt: 'speech-to-text',
  llm: 'language',
  tts: 'text-to-speech',
  realtime: 'realtime',
  'turn-detection': 'turn-detection',
  'noise-cancellation': 'noise-cancellation',
};

const someOf = (names: readonly string[]): string =>
  names.length > 12 ? `${names.slice(0, 12).join(', ')} and ${names.length - 12} more` : names.join(', ');

function slugMessage(problem: SlugProblem, slug: string, kind: ModelKind): string {
  const providerId = slug.split('/')[0] ?? '';
  const provider = modelProvider(providerId);
  const choices = provider === undefined ? [] : modelsOfKind(provider, kind).map((model) => model.id);
  const served = choices.length > 0 ? `; for this slot it has ${someOf(choices)}` : '; it has none for this slot';
  switch (problem) {
    case 'INVALID_SLUG':
      return 'is not of the form <provider>/<model_id>';
    case 'UNKNOWN_PROVIDER':
      return `names the provider ${providerId}, which the catalogue does not have`;
    case 'UNKNOWN_MODEL':
      return `is not a model that ${provider?.name ?? providerId} has in the catalogue${served}`;
    case 'WRONG_MODEL_KIND':
      return `is not a ${kindNames[kind]} model${served}`;
  }
}

/** Checks a slug for a slot of one kind; answers the model if it names one. Values that are no text are left alone. */
export function checkSlug(
  holder: unknown,
  kind: ModelKind,
  language: Language | undefined,
  path: Path,
  report: Report,
): NamedModel | undefined {
  const slug = textAt(holder, 'model');
  if (slug === undefined) return undefined;
  const found = findModel(slug, kind);
  if (typeof found === 'string') {
    report([...path, 'model'], found, slugMessage(found, slug, kind));
    return undefined;
  }
  if (language !== undefined && !speaks(found.model, language.code)) {
    report([...path, 'model'], 'UNSUPPORTED_LANGUAGE', `does not work in ${language.name}`);
  }
  return found;
}

function checkVoice(entry: unknown, kind: ModelKind, named: NamedModel | undefined, path: Path, report: Report): void {
  const voice = property(entry, 'voice');
  if (voice === undefined || (typeof voice === 'string' && voice.trim() === '')) {
    if (kind === 'tts')
      report([...path, 'voice'], 'VOICE_REQUIRED', 'is missing: a text-to-speech entry names a voice');
    return;
  }
  const voices = named?.model.voices ?? 'open';
  if (typeof voice !== 'string' || voices === 'open' || (kind !== 'tts' && kind !== 'realtime')) return;
  if (!voices.includes(voice)) {
    report(
      [...path, 'voice'],
      'UNKNOWN_VOICE',
      `is not a voice of ${named?.slug ?? 'this model'}; it has ${someOf(voices)}`,
    );
  }
}

function checkVariant(entry: unknown, language: Language | undefined, path: Path, report: Report): void {
  const code = textAt(entry, 'language');
  if (code === undefined) return;
  // Without a block (callSummary.llm, or a block of no known language) any language's code will do.
  const spoken = language === undefined ? languages : [language];
  if (spoken.some((each) => variantOf(each, code) !== undefined)) return;
  const choices = language === undefined ? '' : `; for ${language.name} it is one of ${variantList(language)}`;
  report([...path, 'language'], 'INVALID_VALUE', `is not a language code of this block${choices}`);
}

const variantList = (language: Language): string => someOf([language.code, ...language.variants]);

/**
 * The rules of one ModelEntry that span fields or need the catalogue.
 *
 * @param language that of the block; undefined if the entry belongs to none, or to one with an unknown name
 */
export function checkModelEntry(
  entry: unknown,
  kind: ModelKind,
  language: Language | undefined,
  path: Path,
  report: Report,
): void {
  if (!isObject(entry)) return;
  const named = checkSlug(entry, kind, language, path, report);
  checkVoice(entry, kind, named, path, report);
  checkVariant(entry, language, path, report);
  if (looksMasked(textAt(entry, 'apiKey') ?? '')) {
    report([...path, 'apiKey'], 'MASKED_API_KEY', 'is the masked form of a key; send the full key again');
  }
}

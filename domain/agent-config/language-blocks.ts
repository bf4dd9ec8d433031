import { type Language, languageCoded, languageNamed } from '../agent/languages.js';
import { checkModelEntry, checkSlug } from './model-entries.js';
import type { Path, Report } from './problems.js';
import { entriesAt, isObject, listAt, numberAt, property, textAt } from '../input/json-value.js';

const slots = ['stt', 'llm', 'tts', 'realtime'] as const;

function unknownLanguage(name: string): string {
  const meant = languageCoded(name);
  return meant === undefined
    ? 'is not the name of a known language'
    : `is a code; the language is called ${meant.name}`;
}

function checkTurnDetection(block: unknown, language: Language | undefined, path: Path, report: Report): void {
  const turns = property(block, 'turnDetection');
  checkSlug(turns, 'turn-detection', language, path, report);
  const least = numberAt(turns, 'minWaitSeconds');
  const most = numberAt(turns, 'maxWaitSeconds');
  if (least !== undefined && most !== undefined && most < least) {
    report([...path, 'maxWaitSeconds'], 'MAX_WAIT_BELOW_MIN', `is below minWaitSeconds (${least})`);
  }
}

function checkWakeUp(block: unknown, path: Path, report: Report): void {
  const wakeUp = property(block, 'wakeUp');
  if (property(wakeUp, 'enabled') !== true) return;
  if (property(wakeUp, 'afterSeconds') === undefined) {
    report([...path, 'afterSeconds'], 'WAKE_UP_INCOMPLETE', 'is missing: an enabled wake-up needs it');
  }
  const message = property(wakeUp, 'message');
  if (message === undefined || (typeof message === 'string' && message.trim() === '')) {
    report([...path, 'message'], 'WAKE_UP_INCOMPLETE', 'is missing: an enabled wake-up needs it');
  }
}

function checkBlock(block: unknown, language: Language | undefined, path: Path, report: Report): void {
  for (const slot of slots) {
    listAt(block, slot).forEach((entry, index) =>
      checkModelEntry(entry, slot, language, [...path, slot, index], report),
    );
  }
  checkTurnDetection(block, language, [...path, 'turnDetection'], report);
  checkWakeUp(block, [...path, 'wakeUp'], report);
}

/** Settings that must be the same in every language: read if the block has the object, with defaults for what it omits. */
const sharedSettings = [
  { object: 'greeting', field: 'interruptible', type: 'boolean', leftOut: true },
  { object: 'endCall', field: 'enabled', type: 'boolean', leftOut: false },
  { object: 'endCall', field: 'when', type: 'string', leftOut: undefined },
] as const;

function checkAgreement(blocks: readonly [string, unknown][], report: Report): void {
  for (const { object, field, type, leftOut } of sharedSettings) {
    const carried = blocks
      .map(([key, block]) => ({ key, holder: property(block, object) }))
      .filter(({ holder }) => isObject(holder))
      .map(({ key, holder }) => ({ key, value: property(holder, field) ?? leftOut }))
      // A value of another type has its own problem already.
      .filter(({ value }) => value === undefined || typeof value === type);
    const [first, ...rest] = carried;
    for (const { key, value } of rest) {
      if (value === first?.value) continue;
      report(['languages', key, object, field], 'LANGUAGES_DISAGREE', `differs from languages.${first?.key ?? ''}`);
    }
  }
}

function checkDefaultLanguage(config: unknown, present: ReadonlySet<string>, report: Report): void {
  const name = textAt(config, 'defaultLanguage');
  if (name === undefined) return;
  const language = languageNamed(name);
  if (language === undefined) report(['defaultLanguage'], 'UNKNOWN_LANGUAGE', unknownLanguage(name));
  else if (!present.has(language.name)) {
    report(['defaultLanguage'], 'DEFAULT_LANGUAGE_MISSING', `is ${language.name}, which has no block in languages`);
  }
}

/** The rules of `languages` and `defaultLanguage`. */
export function checkLanguages(config: unknown, report: Report): void {
  const languages = property(config, 'languages');
  const blocks = entriesAt(config, 'languages');
  if (isObject(languages) && blocks.length === 0) {
    report(['languages'], 'REQUIRED', 'is empty: an agent speaks at least one language');
  }
  const present = new Set<string>();
  for (const [key, block] of blocks) {
    const language = languageNamed(key);
    if (language === undefined) report(['languages', key], 'UNKNOWN_LANGUAGE', unknownLanguage(key));
    else if (present.has(language.name)) {
      report(['languages', key], 'DUPLICATE_LANGUAGE', `is ${language.name} again, which has a block already`);
    } else present.add(language.name);
    checkBlock(block, language, ['languages', key], report);
  }
  checkAgreement(blocks, report);
  checkDefaultLanguage(config, present, report);
}

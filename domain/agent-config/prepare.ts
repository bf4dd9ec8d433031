import { isObject, type JsonObject } from '../input/json-value.js';
import type { Path, Report } from './problems.js';

const deepest = 32;
const unreadBesideRealtime = new Set(['stt', 'llm', 'tts']);
// Inside `advanced` the service reads these and leaves everything else as it came, nulls included.
const readInAdvanced = new Set([
  ...['voicemail', 'voicemail.action', 'voicemail.message', 'transfer', 'transfer.to', 'transfer.mode'],
  ...['callbacks', 'callbacks.enabled', 'callbacks.withinDays', 'callbacks.most'],
]);
// Postgres stores neither in JSON, and neither can be spoken or read.
const unstorable = /\0|\p{Surrogate}/u;

const isFree = ([first, ...rest]: Path): boolean =>
  first === 'advanced' && rest.length > 0 && !readInAdvanced.has(rest.join('.'));

/** A block with a realtime model is served by it alone (docs/conformance.md, LanguageBlock). */
const isUnread = (path: Path, parent: JsonObject, key: string): boolean =>
  path.length === 2 &&
  path[0] === 'languages' &&
  unreadBesideRealtime.has(key) &&
  Array.isArray(parent.realtime) &&
  parent.realtime.length > 0;

/**
 * The config as it will be read: without nulls, which mean omitted, and without the slots that a realtime model makes
 * void. Reports what no field can hold: characters and numbers that cannot be stored, nesting without end.
 */
export function prepare(value: unknown, report: Report, path: Path = []): unknown {
  if (typeof value === 'string') {
    if (unstorable.test(value)) report(path, 'INVALID_VALUE', 'holds a NUL or half of a surrogate pair');
    return value;
  }
  if (typeof value === 'number') {
    if (!Number.isFinite(value)) report(path, 'OUT_OF_RANGE', 'is larger than any number the service can hold');
    return value;
  }
  if (typeof value !== 'object' || value === null) return value;
  if (path.length > deepest) {
    report(path, 'INVALID_VALUE', `is nested more than ${deepest} levels deep`);
    return undefined;
  }
  if (Array.isArray(value)) return value.map((item: unknown, index) => prepare(item, report, [...path, index]));
  return isObject(value) ? prepareObject(value, report, path) : value;
}

function prepareObject(value: JsonObject, report: Report, path: Path): JsonObject {
  const kept = Object.entries(value).filter(
    ([key, item]) => (item !== null || isFree([...path, key])) && !isUnread(path, value, key),
  );
  for (const [key] of kept) {
    if (unstorable.test(key))
      report([...path, key], 'INVALID_VALUE', 'has a key with a NUL or half of a surrogate pair');
  }
  // fromEntries defines own properties, also for a key called __proto__.
  return Object.fromEntries(kept.map(([key, item]) => [key, prepare(item, report, [...path, key])]));
}

import { entriesAt, listAt, property, textAt } from '../input/json-value.js';
import { checkModelEntry } from './model-entries.js';
import type { Path, Report } from './problems.js';

const mostProperties = 30;
/** They are columns of a spreadsheet and keys of JSON: plain names only. */
const plainName = /^[A-Za-z][A-Za-z0-9_]{0,63}$/;

const otherTypes = new Set(['number', 'integer', 'boolean']);

function checkProperty(value: unknown, path: Path, report: Report): void {
  const type = textAt(value, 'type');
  const choices = listAt(value, 'enum');
  for (const field of ['enum', 'format'] as const) {
    if (property(value, field) !== undefined && type !== undefined && otherTypes.has(type)) {
      report([...path, field], 'INVALID_VALUE', 'is for the type string only');
    }
  }
  if (choices.length > 0 && property(value, 'format') !== undefined) {
    report([...path, 'format'], 'INVALID_VALUE', 'cannot stand beside enum');
  }
  choices.forEach((choice, index) => {
    if (choices.indexOf(choice) < index) report([...path, 'enum', index], 'INVALID_VALUE', 'is in the list already');
  });
}

/** The rules of `analysis` that span fields. */
export function checkAnalysis(config: unknown, report: Report): void {
  const analysis = property(config, 'analysis');
  checkModelEntry(property(analysis, 'model'), 'llm', undefined, ['analysis', 'model'], report);
  const schema = property(analysis, 'schema');
  if (schema === undefined) return;
  const path: Path = ['analysis', 'schema'];
  const properties = entriesAt(schema, 'properties');
  const names = properties.map(([name]) => name);
  if (property(schema, 'properties') !== undefined && (names.length === 0 || names.length > mostProperties)) {
    report([...path, 'properties'], 'OUT_OF_RANGE', `has ${names.length} properties and takes 1 to ${mostProperties}`);
  }
  // What follows is said of no more properties than are taken.
  for (const [name, value] of properties.slice(0, mostProperties)) {
    const place = [...path, 'properties', name];
    if (!plainName.test(name)) {
      report(place, 'INVALID_VALUE', 'is not a name of 1 to 64 letters, digits and _ that begins with a letter');
    }
    checkProperty(value, place, report);
  }
  if (property(schema, 'additionalProperties') === true) {
    report([...path, 'additionalProperties'], 'INVALID_VALUE', 'can only be false');
  }
  listAt(schema, 'required').forEach((name, index) => {
    if (typeof name === 'string' && !names.includes(name)) {
      report([...path, 'required', index], 'INVALID_VALUE', 'is not the name of a property of the schema');
    }
  });
  const success = textAt(analysis, 'success');
  if (success === undefined) return;
  const measured = properties.find(([name]) => name === success)?.[1];
  if (textAt(measured, 'type') !== 'boolean') {
    report(['analysis', 'success'], 'INVALID_VALUE', 'is not the name of a boolean property of the schema');
  }
}

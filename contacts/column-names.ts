import type { ColumnNames } from '../domain/batch/column-names.js';
import { UnusableFile } from './unusable-file.js';

const mostShown = 10;
const longestShown = 60;
const quoted = (name: string): string => JSON.stringify(name.slice(0, longestShown));

const listed = (names: readonly string[]): string =>
  names.slice(0, mostShown).map(quoted).join(', ') +
  (names.length > mostShown ? ` and ${names.length - mostShown} more` : '');

/**
 * Gives columns the names that the client has for them.
 *
 * @param headers trimmed, in the file's order
 * @throws UnusableFile naming every header that the file does not have, or every name that another of its columns has already
 */
export function nameColumns(headers: readonly string[], names: ColumnNames): readonly string[] {
  const entries = Object.entries(names).map(([name, header]) => [name, header.trim()] as const);
  const missing = entries.filter(([, header]) => !headers.includes(header));
  if (missing.length > 0) {
    const lost = missing.slice(0, mostShown).map(([name, header]) => `${quoted(header)} for ${quoted(name)}`);
    const more = missing.length > mostShown ? ` and ${missing.length - mostShown} more` : '';
    throw new UnusableFile(
      `The field columns names headers that the file does not have: ${lost.join(', ')}${more}. Its headers are ` +
        `${listed(headers.filter((header) => header !== ''))}.`,
    );
  }
  const nameOf = new Map(entries.map(([name, header]) => [header, name]));
  const taken = entries.filter(([name]) => headers.includes(name) && !nameOf.has(name));
  if (taken.length > 0) {
    throw new UnusableFile(
      `The field columns gives names that other columns of the file have already: ${listed(taken.map(([name]) => name))}. ` +
        'Give those columns other names in the same field, or remove them.',
    );
  }
  return headers.map((header) => nameOf.get(header) ?? header);
}

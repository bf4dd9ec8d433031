import { renderTemplate } from '../../domain/agent/template.js';
import type { Sheet } from './sheet.js';

/** A row of the file as the agent would know it. */
export interface FirstCall {
  readonly row: number;
  /** As the file has it. */
  readonly value: string;
  readonly metadata: Readonly<Record<string, string>>;
}

/** What the agent would say first in a call. */
export interface Greeting {
  /** Empty: the callee speaks first. */
  readonly text: string;
  /** Placeholders that nothing fills: nothing is said in their place. */
  readonly missing: readonly string[];
  readonly language: string;
}

/** What a config says first, by language. */
interface Speaking {
  readonly defaultLanguage?: string;
  readonly languages: Readonly<Record<string, { readonly greeting?: { readonly text: string } }>>;
}

/** A language by its name and code. */
interface Language {
  readonly name: string;
  readonly code: string;
}

/** Names for headers of the file, by header. */
export type ColumnNames = Readonly<Record<string, string>>;

/** The rows of the file with the names that its columns are given. */
export function firstCalls({ headers, rows }: Sheet, names: ColumnNames): readonly FirstCall[] {
  const named = headers.map((header) => (Object.hasOwn(names, header) ? names[header] : header) ?? header);
  const place = named.indexOf('phone_number');
  return rows.map(({ row, cells }) => ({
    row,
    value: cells[place] ?? '',
    metadata: Object.fromEntries(
      named.flatMap((name, index) => (name === '' || index === place ? [] : [[name, cells[index] ?? '']])),
    ),
  }));
}

const meant = (asked: string, languages: readonly Language[]) => {
  const name = asked.trim().toLowerCase();
  return languages.find((each) => each.name === name || each.code === (name.split('-')[0] ?? ''))?.name;
};

/**
 * The greeting of a call: in the language of the row if the agent speaks it, filled in by the function that fills it in for the
 * call itself.
 *
 * @param agentMetadata what the routing rule adds
 * @param languages every language, by name and code
 */
export function greetingOf(
  { defaultLanguage, languages: blocks }: Speaking,
  metadata: FirstCall['metadata'],
  agentMetadata: Readonly<Record<string, unknown>>,
  languages: readonly Language[],
): Greeting {
  const present = Object.keys(blocks);
  const asked = Object.hasOwn(metadata, 'language') ? meant(metadata.language ?? '', languages) : undefined;
  const fallback = defaultLanguage ?? (present.includes('english') ? 'english' : (present[0] ?? 'english'));
  const language = asked !== undefined && present.includes(asked) ? asked : fallback;
  const { text, missing } = renderTemplate(blocks[language]?.greeting?.text ?? '', [metadata, agentMetadata]);
  return { text: text.trim(), missing, language };
}

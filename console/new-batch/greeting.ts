import { renderTemplate } from '../../domain/agent/template.js';
import type { FirstCall } from './first-calls.js';

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

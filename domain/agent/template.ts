/**
 * `{{column}}` in a prompt, a greeting or a message takes a value of the call's metadata. Values are data: what they hold
 * is put in as it is and never read for placeholders again, so a row of a spreadsheet cannot reach another row's columns
 * or the agent's own text.
 */
const placeholder = /\{\{([^{}]+)\}\}/g;

/** Values by column name, nearest first: the call's metadata, then the rule's agentMetadata. */
export type TemplateValues = Readonly<Record<string, unknown>>;

/** Names of the placeholders in a text, each once, in the order of their first appearance. */
export function placeholdersIn(text: string): string[] {
  const names = Array.from(text.matchAll(placeholder), ([, name = '']) => name.trim()).filter((name) => name !== '');
  return [...new Set(names)];
}

/** Text of a value; undefined if there is nothing to say. JSON, for what a column of a spreadsheet cannot hold. */
function textOf(value: unknown): string | undefined {
  if (value === undefined || value === null) return undefined;
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function valueOf(name: string, sources: readonly TemplateValues[]): string | undefined {
  // Own properties alone: a column may be called `constructor`, and no prototype may answer for it.
  const source = sources.find((each) => Object.hasOwn(each, name) && textOf(each[name]) !== undefined);
  return source === undefined ? undefined : textOf(source[name]);
}

/**
 * Puts the values into a text. A placeholder without a value becomes empty and is named in `missing`, for the log.
 *
 * @param sources the first that has the column gives the value
 */
export function renderTemplate(
  text: string,
  sources: readonly TemplateValues[],
): { readonly text: string; readonly missing: readonly string[] } {
  const missing = new Set<string>();
  const rendered = text.replace(placeholder, (whole, inner: string) => {
    const name = inner.trim();
    if (name === '') return whole;
    const value = valueOf(name, sources);
    if (value === undefined) missing.add(name);
    return value ?? '';
  });
  return { text: rendered, missing: [...missing] };
}

export const toolMethods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;
export type ToolMethod = (typeof toolMethods)[number];

/** What language models accept as the name of a function. */
export const toolName = /^[a-zA-Z_][a-zA-Z0-9_-]{0,63}$/;

/** Seconds that a tool's server may take to answer. */
export const toolTimeoutSeconds = { shortest: 1, longest: 60, default: 10 } as const;

const placeholder = /\{([^{}]*)\}/g;

/** `https://example.com/orders/{orderId}` → `['orderId']` */
export const placeholdersIn = (url: string): string[] => [...url.matchAll(placeholder)].map(([, name = '']) => name);

/** The URL as it could be called: every placeholder filled. */
export const filledUrl = (url: string): string => url.replace(placeholder, 'x');

/** Everything before path and query. */
const origin = /^[^/?#]*\/\/[^/?#\\]*/;

/**
 * What is wrong with a tool's URL placeholders, in words; null if nothing is. They stand in the path and the query, so
 * that no argument of a model's can choose the host, and each is a required property, so that none stays empty.
 *
 * @param parameters JSON Schema of the tool's arguments
 */
export function placeholderProblem(
  url: string,
  parameters: { readonly properties?: unknown; readonly required?: unknown },
): string | null {
  if (/[{}]/.test(origin.exec(url)?.[0] ?? '')) return 'may have {placeholders} in its path and query only';
  if (/[{}]/.test(url.replace(placeholder, ''))) return 'has a brace without its other half';
  const properties = typeof parameters.properties === 'object' ? Object.keys(parameters.properties ?? {}) : [];
  const required: unknown[] = Array.isArray(parameters.required) ? parameters.required : [];
  for (const name of placeholdersIn(url)) {
    if (!properties.includes(name) || !required.includes(name)) {
      return `has the placeholder {${name}}, which is not a required property of parameters`;
    }
  }
  return null;
}

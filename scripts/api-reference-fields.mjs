// Types, limits and tables of fields, as docs/api.md shows the schemas of the OpenAPI document.

export const nameOf = (ref) => ref.replace(/^#\/components\/\w+\//, '');
export const cell = (text) => String(text).replaceAll('|', '\\|').replaceAll('\n', ' ');

/** The type of a value in words, with a link to the schema if it has a name. */
export function typeOf(schema) {
  if (schema.$ref) return `[${nameOf(schema.$ref)}](#${nameOf(schema.$ref).toLowerCase()})`;
  if (schema.const !== undefined) return `\`${JSON.stringify(schema.const)}\``;
  if (schema.enum) return schema.enum.map((value) => `\`${value}\``).join(', ');
  const options = schema.anyOf ?? schema.oneOf;
  if (options) return options.map(typeOf).join(' or ');
  if (schema.type === 'array') return `array of ${typeOf(schema.items ?? {})}`;
  if (schema.type === 'object') {
    const names = Object.keys(schema.properties ?? {});
    if (names.length > 0) return `object {${names.join(', ')}}`;
    const values = schema.additionalProperties;
    return values && Object.keys(values).length > 0 ? `object of ${typeOf(values)}` : 'object';
  }
  return Array.isArray(schema.type) ? schema.type.join(' or ') : (schema.type ?? 'anything');
}

export function limitsOf(schema) {
  const limits = [
    schema.minimum > Number.MIN_SAFE_INTEGER && `at least ${schema.minimum}`,
    schema.maximum < Number.MAX_SAFE_INTEGER && `at most ${schema.maximum}`,
    schema.minLength > 1 && `at least ${schema.minLength} characters`,
    schema.maxLength && `at most ${schema.maxLength} characters`,
    schema.minItems && `at least ${schema.minItems} entries`,
    schema.maxItems && `at most ${schema.maxItems} entries`,
    schema.default !== undefined && `default \`${JSON.stringify(schema.default)}\``,
  ];
  return limits.filter(Boolean).join(', ');
}

/** Objects without a name inside a field, which are shown under its dotted name. */
function partsOf(field, dotted) {
  const options = field.anyOf ?? field.oneOf ?? [field];
  return options.flatMap((option) =>
    option.type === 'array' ? rowsOf(option.items ?? {}, `${dotted}[]`) : rowsOf(option, dotted),
  );
}

/** Rows of a schema's fields, those of objects inside it under their dotted names. */
function rowsOf(schema, path = '') {
  return Object.entries(schema.properties ?? {}).flatMap(([name, field]) => {
    const dotted = path === '' ? name : `${path}.${name}`;
    const required = schema.required?.includes(name) ? 'yes' : '';
    const notes = [field.description, limitsOf(field)].filter(Boolean).join('; ');
    const parts = partsOf(field, dotted);
    const type = parts.length > 0 && field.type === 'object' ? 'object' : typeOf(field);
    return [`| \`${dotted}\` | ${cell(type)} | ${required} | ${cell(notes)} |`, ...parts];
  });
}

export const fieldTable = (schema, required = 'Required') => [
  `| Field | Type | ${required} | |`,
  '|---|---|---|---|',
  ...rowsOf(schema),
  '',
];

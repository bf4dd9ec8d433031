import { placeholdersIn } from '../agent/template.js';
import { formatPath, type Path } from './problems.js';
import type { AgentConfig } from './schema.js';

/** Every text of a config that may hold placeholders, with its path. */
function templatesOf(config: AgentConfig): { readonly path: Path; readonly text: string }[] {
  const spoken = Object.entries(config.languages).flatMap(([name, block]) => {
    const path: Path = ['languages', name];
    return [
      { path: [...path, 'prompt'], text: block.prompt },
      { path: [...path, 'greeting', 'text'], text: block.greeting?.text },
      { path: [...path, 'wakeUp', 'message'], text: block.wakeUp?.message },
      { path: [...path, 'endCall', 'message'], text: block.endCall?.message },
    ];
  });
  const { voicemail, transfer } = config.advanced ?? {};
  const all = [
    ...spoken,
    { path: ['advanced', 'voicemail', 'message'], text: voicemail?.message },
    { path: ['advanced', 'transfer', 'to'], text: transfer?.to },
  ];
  return all.flatMap(({ path, text }) => (text === undefined ? [] : [{ path, text }]));
}

/** A placeholder that nothing fills, and where the config has it. */
export interface UnfilledPlaceholder {
  readonly path: string;
  readonly placeholder: string;
}

/**
 * Placeholders that would be spoken as nothing: for a dry run and the report of a batch.
 *
 * @param columns names that have a value: columns of the file, and keys of the rule's agentMetadata
 */
export const unfilledPlaceholders = (config: AgentConfig, columns: ReadonlySet<string>): UnfilledPlaceholder[] =>
  templatesOf(config).flatMap(({ path, text }) =>
    placeholdersIn(text)
      .filter((placeholder) => !columns.has(placeholder))
      .map((placeholder) => ({ path: formatPath(path), placeholder })),
  );

const spokenFirst = /\.(?:prompt|greeting\.text)$/;

/** Columns that a file must fill so that no prompt and no greeting has a gap; the rule's agentMetadata fills the others. */
export function columnsSpoken({
  config,
  metadataKeys,
}: {
  readonly config: AgentConfig;
  readonly metadataKeys: readonly string[];
}): string[] {
  const names = templatesOf(config)
    .filter(({ path }) => spokenFirst.test(formatPath(path)))
    .flatMap(({ text }) => placeholdersIn(text));
  return [...new Set(names)].filter((name) => !metadataKeys.includes(name));
}

const mostListed = 200;

/**
 * Placeholders that the calls of a file would leave empty.
 *
 * @param columns of the file; phone_number is not among what an agent may say
 * @param metadataKeys of the rule's agentMetadata
 */
export const unfilledByFile = (
  { config, metadataKeys }: { readonly config: AgentConfig; readonly metadataKeys: readonly string[] },
  columns: readonly string[],
): UnfilledPlaceholder[] =>
  unfilledPlaceholders(
    config,
    new Set([...columns.filter((column) => column !== 'phone_number'), ...metadataKeys]),
  ).slice(0, mostListed);

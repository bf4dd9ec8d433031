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

/** What an agent says on the calls of a rule. */
interface Texts {
  readonly config: AgentConfig;
  /** Names that the rule's agentMetadata fills. */
  readonly metadataKeys: readonly string[];
}

/**
 * Columns that a file must fill so that no prompt and no greeting has a gap; the rule's agentMetadata fills the others.
 *
 * @param agents all that may talk on its calls
 */
export function columnsSpoken(agents: readonly Texts[]): string[] {
  const names = agents.flatMap(({ config, metadataKeys }) =>
    templatesOf(config)
      .filter(({ path }) => spokenFirst.test(formatPath(path)))
      .flatMap(({ text }) => placeholdersIn(text))
      .filter((name) => !metadataKeys.includes(name)),
  );
  return [...new Set(names)];
}

const mostListed = 200;

/**
 * Placeholders that the calls of a file would leave empty.
 *
 * @param agents all that may talk on its calls
 * @param columns of the file; phone_number is not among what an agent may say
 */
export const unfilledByFile = (agents: readonly Texts[], columns: readonly string[]): UnfilledPlaceholder[] => {
  const unfilled = agents.flatMap(({ config, metadataKeys }) =>
    unfilledPlaceholders(config, new Set([...columns.filter((column) => column !== 'phone_number'), ...metadataKeys])),
  );
  // Several agents may have the same gap at the same place.
  return [...new Map(unfilled.map((each) => [`${each.path} ${each.placeholder}`, each])).values()].slice(0, mostListed);
};

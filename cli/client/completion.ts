import type { Command, Option } from 'commander';

/** Shells that a script can be written for. */
export const shells = ['bash', 'zsh', 'fish'] as const;

/** What can follow a command: the words of it and its options, with what they are for. */
interface Place {
  /** The command as it is typed, without the program: `batch create`; empty for the program itself. */
  readonly path: string;
  readonly words: readonly { readonly word: string; readonly help: string }[];
  /** Whether a file name may follow. */
  readonly takesFile: boolean;
  readonly options: readonly OptionWithValue[];
}

/** An option that is followed by a value. */
interface OptionWithValue {
  /** `--output`, and `-o` if it is also written so. */
  readonly flags: readonly string[];
  readonly choices: readonly string[];
  /** Whether the value is the name of a file or folder. */
  readonly isFile: boolean;
}

const files = /file|folder/;

const withValue = (option: Option): OptionWithValue[] =>
  option.required || option.optional
    ? [
        {
          flags: [option.long, option.short].flatMap((flag) => flag ?? []),
          choices: option.argChoices ?? [],
          isFile: files.test(option.flags),
        },
      ]
    : [];

function placesOf(command: Command, path: readonly string[] = []): Place[] {
  const oneLine = (text: string): string => (text.split(/[.;:(\n]/)[0] ?? '').replaceAll("'", '’').trim();
  const words = [
    ...command.commands.map((each) => ({ word: each.name(), help: oneLine(each.description()) })),
    ...command.registeredArguments.flatMap(({ argChoices = [], description }) =>
      argChoices.map((word) => ({ word, help: oneLine(description) })),
    ),
    ...command.options.map(({ long, description }) => ({ word: long ?? '', help: oneLine(description) })),
    { word: '--help', help: 'display help for command' },
  ].filter(({ word }) => word !== '');
  const takesFile = command.registeredArguments.some((argument) => files.test(argument.name()));
  const place = { path: path.join(' '), words, takesFile, options: command.options.flatMap(withValue) };
  return [place, ...command.commands.flatMap((each) => placesOf(each, [...path, each.name()]))];
}

/**
 * The script that teaches a shell the commands and options of this version. It asks no service and starts no process.
 *
 * @param program every command that there is
 */
export function completionScript(shell: (typeof shells)[number], program: Command): string {
  const places = placesOf(program);
  return shell === 'fish' ? fishScript(places) : shell === 'zsh' ? zshScript(places) : bashScript(places);
}

/** `batch list --output` with what may follow: its choices, or `<file>`, or nothing. */
const valuesOf = (places: readonly Place[]): { readonly after: readonly string[]; readonly values: string }[] =>
  places.flatMap(({ path, options }) =>
    options.map(({ flags, choices, isFile }) => ({
      after: flags.map((flag) => `${path} ${flag}`),
      values: isFile ? '<file>' : choices.join(' '),
    })),
  );

/** Which of the words before the cursor name the command: as many as lead to a place. */
const bashScript = (
  places: readonly Place[],
): string => `# outdial completion bash: source it, or keep it in ~/.local/share/bash-completion/completions/outdial
_outdial_words() {
  case "$1" in
${places.map(({ path, words }) => `    '${path}') echo '${words.map(({ word }) => word).join(' ')}' ;;`).join('\n')}
    *) return 1 ;;
  esac
}
_outdial_values() {
  case "$1 $2" in
${valuesOf(places)
  .map(({ after, values }) => `    ${after.map((each) => `'${each}'`).join('|')}) echo '${values}' ;;`)
  .join('\n')}
    *) return 1 ;;
  esac
}
_outdial() {
  local current="\${COMP_WORDS[COMP_CWORD]}" path='' next word values files=''
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    next="\${path:+$path }$word"
    if _outdial_words "$next" >/dev/null; then path="$next"; fi
  done
  # shellcheck disable=SC2207
  if values="$(_outdial_values "$path" "\${COMP_WORDS[COMP_CWORD-1]}")"; then
    if [ "$values" = '<file>' ]; then COMPREPLY=($(compgen -f -- "$current"))
    else COMPREPLY=($(compgen -W "$values" -- "$current")); fi
    return
  fi
  case "$path" in
    ${places
      .filter(({ takesFile }) => takesFile)
      .map(({ path }) => `'${path}'`)
      .join('|')}) files='-f' ;;
  esac
  # shellcheck disable=SC2207,SC2086
  COMPREPLY=($(compgen $files -W "$(_outdial_words "$path")" -- "$current"))
}
complete -F _outdial outdial
`;

const zshScript = (places: readonly Place[]): string => `#compdef outdial
# outdial completion zsh: keep it as _outdial in a folder of $fpath, or source it after compinit
_outdial() {
  local -a found
  local at='' word next
  local -A known values
  values=(
${valuesOf(places)
  .flatMap(({ after, values }) => after.map((each) => `    '${each}' '${values}'`))
  .join('\n')}
  )
  known=(
${places.map(({ path, words }) => `    '${path === '' ? ' ' : path}' '${words.map(({ word }) => word).join(' ')}'`).join('\n')}
  )
  for word in \${words[2,CURRENT-1]}; do
    next="\${at:+$at }$word"
    (( \${+known[$next]} )) && at="$next"
  done
  next="$at \${words[CURRENT-1]}"
  if (( \${+values[$next]} )); then
    if [[ "\${values[$next]}" == '<file>' ]]; then _files
    else found=(\${=values[$next]}); compadd -a found; fi
    return
  fi
  found=(\${=known[\${at:- }]})
  compadd -a found
  case "$at" in
    ${places
      .filter(({ takesFile }) => takesFile)
      .map(({ path }) => `'${path}'`)
      .join('|')}) _files ;;
  esac
}
# As a file of $fpath this is the function itself when it is called first.
if [[ "\${funcstack[1]}" == _outdial ]]; then _outdial "$@"; else compdef _outdial outdial; fi
`;

/** What fish is to know of an option beside its name: `-s o -x -a 'table json csv'`. */
function fishValue(options: readonly OptionWithValue[], long: string): string {
  const option = options.find(({ flags }) => flags.includes(long));
  if (option === undefined) return '';
  const short = option.flags.find((flag) => !flag.startsWith('--'));
  const letter = short === undefined ? '' : ` -s ${short.slice(1)}`;
  if (option.isFile) return `${letter} -r -F`;
  return `${letter} -x${option.choices.length === 0 ? '' : ` -a '${option.choices.join(' ')}'`}`;
}

const fishScript = (places: readonly Place[]): string => {
  const lines = places.flatMap(({ path, words, takesFile, options }) => {
    const condition = `-n "__outdial_at '${path}'"`;
    return [
      ...words.map(({ word, help }) =>
        word.startsWith('--')
          ? `complete -c outdial ${condition} -l ${word.slice(2)}${fishValue(options, word)} -d '${help}'`
          : `complete -c outdial ${condition} -f -a ${word} -d '${help}'`,
      ),
      ...(takesFile ? [`complete -c outdial ${condition} -F`] : [`complete -c outdial ${condition} -f`]),
    ];
  });
  return `# outdial completion fish: keep it in ~/.config/fish/completions/outdial.fish
set -g __outdial_paths ${places.map(({ path }) => `'${path}'`).join(' ')}
function __outdial_at
    set -l at ''
    for word in (commandline -opc)[2..]
        set -l next (string trim "$at $word")
        contains -- "$next" $__outdial_paths; and set at $next
    end
    test "$at" = "$argv[1]"
end
${lines.join('\n')}
`;
};

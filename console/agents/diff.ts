/** A line of two texts: in both of them, or in one alone. */
export interface DiffLine {
  readonly kind: 'same' | 'gone' | 'new';
  readonly text: string;
}

/** More cells than this are not compared: what lies between is then shown as taken away and put in. */
const mostCells = 4_000_000;

/** What leads from one list of lines to another, with as few changes as there can be. */
export function diffOf(before: readonly string[], after: readonly string[]): readonly DiffLine[] {
  let start = 0;
  while (start < before.length && start < after.length && before[start] === after[start]) start += 1;
  let end = 0;
  const most = Math.min(before.length, after.length) - start;
  while (end < most && before[before.length - 1 - end] === after[after.length - 1 - end]) end += 1;
  const same = (lines: readonly string[]) => lines.map((text) => ({ kind: 'same', text }) as const);
  return [
    ...same(before.slice(0, start)),
    ...between(before.slice(start, before.length - end), after.slice(start, after.length - end)),
    ...same(before.slice(before.length - end)),
  ];
}

function between(before: readonly string[], after: readonly string[]): readonly DiffLine[] {
  if (before.length * after.length > mostCells) {
    return [
      ...before.map((text) => ({ kind: 'gone', text }) as const),
      ...after.map((text) => ({ kind: 'new', text }) as const),
    ];
  }
  // How many lines both have in common from here on (longest common subsequence).
  const width = after.length + 1;
  const common = new Uint32Array((before.length + 1) * width);
  for (let i = before.length - 1; i >= 0; i -= 1) {
    for (let j = after.length - 1; j >= 0; j -= 1) {
      common[i * width + j] =
        before[i] === after[j]
          ? (common[(i + 1) * width + j + 1] ?? 0) + 1
          : Math.max(common[(i + 1) * width + j] ?? 0, common[i * width + j + 1] ?? 0);
    }
  }
  const lines: DiffLine[] = [];
  let [i, j] = [0, 0];
  while (i < before.length || j < after.length) {
    const [old, next] = [before[i], after[j]];
    if (old !== undefined && old === next) {
      lines.push({ kind: 'same', text: old });
      [i, j] = [i + 1, j + 1];
    } else if (
      next === undefined ||
      (old !== undefined && (common[(i + 1) * width + j] ?? 0) >= (common[i * width + j + 1] ?? 0))
    ) {
      lines.push({ kind: 'gone', text: old ?? '' });
      i += 1;
    } else {
      lines.push({ kind: 'new', text: next });
      j += 1;
    }
  }
  return lines;
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;

/** A config as lines that can be compared: each value by its path, and texts of several lines line by line. */
export function linesOf(config: unknown, path = ''): readonly string[] {
  if (Array.isArray(config)) return config.flatMap((value, index) => linesOf(value, `${path}[${index}]`));
  if (isObject(config)) {
    return Object.keys(config)
      .sort()
      .flatMap((name) => linesOf(config[name], path === '' ? name : `${path}.${name}`));
  }
  const text = typeof config === 'string' ? config : JSON.stringify(config);
  const [first = '', ...others] = text.split('\n');
  return others.length === 0 ? [`${path}: ${first}`] : [`${path}:`, ...[first, ...others].map((line) => `    ${line}`)];
}

import { z } from 'zod';

interface Field {
  readonly type?: string;
  readonly enum?: readonly unknown[];
  readonly minimum?: number;
  readonly maximum?: number;
}

/** What a setting takes, in words: `a whole number from 0 to 65535`; null if its own message says more. */
export function valuesOf(field: z.ZodType): string | null {
  const {
    type,
    minimum,
    maximum,
    enum: words,
  } = z.toJSONSchema(field, { io: 'input', unrepresentable: 'any' }) as Field;
  if (words !== undefined) return `one of ${words.filter((word) => word !== '').join(', ')}`;
  if (type !== 'number' && type !== 'integer') return null;
  const kind = type === 'integer' ? 'a whole number' : 'a number';
  const least = minimum === undefined || minimum <= Number.MIN_SAFE_INTEGER ? null : minimum;
  const most = maximum === undefined || maximum >= Number.MAX_SAFE_INTEGER ? null : maximum;
  if (least === null) return kind;
  return most === null ? `${kind}, at least ${least}` : `${kind} from ${least} to ${most}`;
}

/** Counts the letters to change, add or drop to make one word of the other. */
function distance(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, place) => place);
  for (let i = 1; i <= one.length; i++) {
    const next = [i];
    for (let j = 1; j <= other.length; j++) {
      const changed = (row[j - 1] ?? 0) + (one[i - 1] === other[j - 1] ? 0 : 1);
      next.push(Math.min(changed, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[other.length] ?? 0;
}

/** Beyond this many changed letters a name is not the one that was meant. */
const mostChanges = 4;

/**
 * Variables that look like settings and are none: a setting that is misspelt does nothing, and that must be said.
 *
 * @param known every setting there is
 * @returns one sentence for each
 */
export function unknownSettings(
  source: Readonly<Record<string, string | undefined>>,
  known: readonly string[],
): readonly string[] {
  return Object.keys(source)
    .filter((name) => name.startsWith('OUTDIAL_') && !known.includes(name))
    .sort()
    .map((name) => {
      const [nearest] = known
        .map((candidate) => ({ candidate, changes: distance(name, candidate) }))
        .sort((one, other) => one.changes - other.changes);
      const meant = nearest !== undefined && nearest.changes <= mostChanges ? ` Is ${nearest.candidate} meant?` : '';
      return `${name} is no setting of this version and does nothing.${meant}`;
    });
}

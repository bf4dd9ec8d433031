/** A recipient as POST …/recipients takes it. */
export interface Pasted {
  readonly phoneNumber: string;
  readonly metadata?: Readonly<Record<string, string>>;
}

const cellsOf = (line: string): readonly string[] =>
  line.split(line.includes('\t') ? '\t' : /[,;]/).map((cell) => cell.trim());

/**
 * Reads what was pasted: a number on each line, or lines of a spreadsheet whose first line names the columns, the number first.
 * Cells without a name are left out.
 */
export function pastedRecipients(text: string): readonly Pasted[] {
  const lines = text
    .split(/\r?\n/)
    .map((line) => line.trimEnd())
    .filter((line) => line.trim() !== '')
    .map(cellsOf);
  const [first = []] = lines;
  const hasHeader = lines.length > 0 && !/\d/.test(first[0] ?? '');
  const names = hasHeader ? first : [];
  return lines.slice(hasHeader ? 1 : 0).map(([phoneNumber = '', ...cells]) => {
    const named = cells.flatMap((cell, index) => {
      const name = names[index + 1] ?? '';
      return name === '' || cell === '' ? [] : [[name, cell] as const];
    });
    return named.length === 0 ? { phoneNumber } : { phoneNumber, metadata: Object.fromEntries(named) };
  });
}

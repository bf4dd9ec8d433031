import { Button } from '@mantine/core';

/** How a cell begins that a spreadsheet would run. */
const formulaStart = /^[=+\-@\t\r\n\uFF1D\uFF0B\uFF0D\uFF20]/;
const telephoneNumber = /^\+\d{5,15}$/;

/** Rows as CSV whose cells no spreadsheet runs; telephone numbers stay as they are. */
export function csvOf(rows: readonly (readonly (string | number)[])[]): string {
  const cell = (value: string | number): string => {
    const text = String(value);
    const safe = formulaStart.test(text) && !telephoneNumber.test(text) ? `'${text}` : text;
    return `"${safe.replaceAll('"', '""')}"`;
  };
  return rows.map((row) => `${row.map(cell).join(',')}\r\n`).join('');
}

interface Props {
  readonly filename: string;
  readonly rows: readonly (readonly (string | number)[])[];
  readonly children: string;
}

/** Saves rows as a CSV file. */
export function Download({ filename, rows, children }: Props) {
  const save = () => {
    // The mark tells Excel that it is UTF-8.
    const url = URL.createObjectURL(new Blob(['\u{feff}', csvOf(rows)], { type: 'text/csv' }));
    const link = document.createElement('a');
    link.href = url;
    link.download = filename;
    link.click();
    URL.revokeObjectURL(url);
  };
  return (
    <Button variant="default" size="xs" onClick={save}>
      {children}
    </Button>
  );
}

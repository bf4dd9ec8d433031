/** Every reason for which a row of a file is not called. Types, OpenAPI, docs and tests follow from this list. */
export const rowReasons = {
  missing_number: { ofCell: true, meaning: 'The phone_number cell is empty.' },
  invalid_number: {
    ofCell: true,
    meaning: 'The cell holds no possible number, or an earlier batch found it cannot be called.',
  },
  missing_plus: { ofCell: true, meaning: 'The number has no + and country code.' },
  excel_number: {
    ofCell: true,
    meaning: 'The spreadsheet turned the number into one such as 9.19877E+11.',
  },
  unsaved_formula: { ofCell: true, meaning: 'The cell has a formula without its result.' },
  duplicate: {
    ofCell: false,
    meaning: 'An earlier row is the same, or with `duplicates=skip` has the same number.',
  },
  do_not_call: { ofCell: false, meaning: 'The number is on the do-not-call list.' },
  metadata_too_large: { ofCell: false, meaning: 'The other columns hold more than 16 KB.' },
  invalid_not_before: { ofCell: false, meaning: 'The `not_before` cell holds no instant with an offset.' },
  invalid_timezone: {
    ofCell: false,
    meaning: 'The `timezone` cell names no zone, and calling window or account go by clocks of callees.',
  },
  unfilled_placeholder: {
    ofCell: false,
    meaning: 'A cell that prompt or greeting need is empty, and the batch rejects that.',
  },
} as const satisfies Readonly<Record<string, { readonly ofCell: boolean; readonly meaning: string }>>;

/** Why a row is not called. */
export type RowReason = keyof typeof rowReasons;

/** Faults of the phone_number cell itself. */
export type NumberFault = {
  [Reason in RowReason]: (typeof rowReasons)[Reason]['ofCell'] extends true ? Reason : never;
}[RowReason];

/** Every reason, in the order of the list. */
export const listedRowReasons = Object.keys(rowReasons) as RowReason[];

/** The faults of the phone_number cell itself, in the order of the list. */
export const numberFaults = listedRowReasons.filter((reason): reason is NumberFault => rowReasons[reason].ofCell);

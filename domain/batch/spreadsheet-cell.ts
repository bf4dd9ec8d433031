/** How a cell begins that a spreadsheet would run: a formula, or what it takes for one after trimming. */
const formulaStart = /^[=+\-@\t\r\n\uFF1D\uFF0B\uFF0D\uFF20]/;
/** A number as E.164 writes it holds nothing that could be run. */
const phoneNumber = /^\+\d{5,15}$/;

/**
 * A text as a cell of a CSV file that may be opened in a spreadsheet. Metadata of a callee must not become a formula there:
 * it gets an apostrophe in front, which spreadsheets take as the sign of a text. Phone numbers stay as they are, so that
 * the file can be uploaded again.
 */
export const spreadsheetCell = (text: string): string =>
  formulaStart.test(text) && !phoneNumber.test(text) ? `'${text}` : text;

/**
 * A file of which no row can be used (docs/conformance.md, Batch calls: rows). Its message is the batch's `parseError`, for the person
 * who uploaded the file, naming the place and how to correct it. It can surface after thousands of good rows (an unbalanced
 * quote shows at the end of the file), so rows have to be stored in one transaction.
 */
export class UnusableFile extends Error {
  override readonly name = 'UnusableFile';
}

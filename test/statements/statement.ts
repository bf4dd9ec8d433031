/**
 * One thing that the service promises, in our own words, with the tests that hold it: each `file: title`, the file without
 * `test/` and `.test.ts`, the title whole or as far as nothing else in the file begins so.
 */
export type Statement = readonly [id: string, says: string, ...heldBy: string[]];

/** Statements about one subject. */
export interface Section {
  /** `service`: the contract; `api`: what we decided where the contract is silent, and what we added. */
  readonly source: 'service' | 'api';
  readonly heading: string;
  readonly statements: readonly Statement[];
}

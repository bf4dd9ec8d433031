/**
 * What records of a batch can be sorted by. `position`: their order in the file. Those that have no value in an order come last,
 * whichever its direction: such as calls that are not over, of which it is not known yet how they end.
 */
export const recordSorts = [
  'position',
  'phoneNumber',
  'status',
  'reason',
  'attempts',
  'sipStatusCode',
  'answeredBy',
  'callDuration',
  'endedAt',
] as const;
export type RecordSort = (typeof recordSorts)[number];

export interface RecordOrder {
  readonly by: RecordSort;
  readonly descending: boolean;
}

export const fileOrder: RecordOrder = { by: 'position', descending: false };

/** Up to so many calls, each has its own workflow, so that an operator sees every retry timer. */
const mostWithOwnWorkflow = 200;
/** However few calls per workflow are asked for, a batch never has more children than this. */
const mostChildren = 1_000;
export const mostCallsPerWorkflow = 500;

/**
 * How many calls one child workflow of a batch carries. Fixed when the file is parsed, because it decides which workflow a
 * call belongs to. Temporal's share of the cost of a call falls with the number of calls that a workflow carries, so beyond
 * 200 calls a batch has as few workflows as can carry it, all of about one size (docs/adr/0016).
 *
 * @param calls good rows of the batch
 * @param wanted OUTDIAL_CALLS_PER_WORKFLOW; 1 gives every call its own workflow
 */
export function callsPerWorkflow(calls: number, wanted?: number): number {
  const enough = Math.ceil(calls / mostChildren);
  return Math.min(mostCallsPerWorkflow, Math.max(1, wanted ?? natural(calls), enough));
}

function natural(calls: number): number {
  if (calls <= mostWithOwnWorkflow) return 1;
  const workflows = Math.ceil(calls / mostCallsPerWorkflow);
  return Math.ceil(calls / workflows);
}

/** Number of child workflows for so many calls. */
export const groupCount = (calls: number, perWorkflow: number): number => Math.ceil(calls / perWorkflow);

/**
 * Recipients that requests add to a batch have places from here on, far beyond those of any file, so that neither depends on
 * how many the other has. Each request begins a group of its own: a group never grows, and no workflow has to be told of
 * new calls (docs/adr/0019).
 */
export const firstAddedPosition = 2 ** 30;

/** Groups from here on were added by requests. */
export const firstAddedGroup = 2 ** 30;

/** Place of the first call of the n-th added group, from 0. */
export const addedPosition = (addedGroup: number): number => firstAddedPosition + addedGroup * mostCallsPerWorkflow;

export const isAddedGroup = (group: number): boolean => group >= firstAddedGroup;

/** The group, from 0, of the call at this place of the batch. */
export const groupOf = (position: number, perWorkflow: number): number =>
  position < firstAddedPosition
    ? Math.floor(position / perWorkflow)
    : firstAddedGroup + Math.floor((position - firstAddedPosition) / mostCallsPerWorkflow);

/** Places of an added group: from the first to before the last. */
export const placesOfAdded = (group: number): { readonly from: number; readonly before: number } => {
  const from = addedPosition(group - firstAddedGroup);
  return { from, before: from + mostCallsPerWorkflow };
};

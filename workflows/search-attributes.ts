import { defineSearchAttributeKey, TypedSearchAttributes } from '@temporalio/common';
import { searchAttributeNames } from '../domain/workflow/contract.js';

const account = defineSearchAttributeKey(searchAttributeNames.account, 'KEYWORD');
const batch = defineSearchAttributeKey(searchAttributeNames.batch, 'KEYWORD');

/** Where a workflow is, for people who look for it in Temporal's UI. */
export const statusKey = defineSearchAttributeKey(searchAttributeNames.status, 'KEYWORD');

/** The search attributes of all our workflows. */
export function searchAttributesOf(input: {
  readonly accountId?: string;
  readonly batchId?: string;
}): TypedSearchAttributes {
  return new TypedSearchAttributes([
    ...(input.accountId === undefined ? [] : [{ key: account, value: input.accountId }]),
    ...(input.batchId === undefined ? [] : [{ key: batch, value: input.batchId }]),
  ]);
}

import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { Paging } from './batch-queries.js';
import { answered, client, type Schemas } from './client.js';
import { slowPollMs } from './queries.js';
import { Refused } from './refused.js';

/** A number as it was typed, without what people put between its digits. */
export const bareNumber = (typed: string): string => typed.replaceAll(/[\s()./-]/g, '');

/** GET /v1/contacts/{e164}; null: nothing is kept under the number. */
export const personQuery = (e164: string, paging: Paging) =>
  queryOptions({
    queryKey: ['person', e164, paging],
    enabled: e164 !== '',
    refetchInterval: slowPollMs,
    queryFn: async () => {
      try {
        return await answered(client.GET('/v1/contacts/{e164}', { params: { path: { e164 }, query: { ...paging } } }));
      } catch (error) {
        if (error instanceof Refused && error.status === 404) return null;
        throw error;
      }
    },
  });

/** GET /v1/do-not-call */
export const doNotCallQuery = (filter: Paging & { readonly search?: string }) =>
  queryOptions({
    queryKey: ['do-not-call', filter],
    queryFn: () => answered(client.GET('/v1/do-not-call', { params: { query: { ...filter } } })),
    refetchInterval: slowPollMs,
    placeholderData: keepPreviousData,
  });

/** POST /v1/do-not-call */
export const addToDoNotCall = (phoneNumbers: readonly string[], reason: string, key: string) =>
  answered(
    client.POST('/v1/do-not-call', {
      params: { header: { 'idempotency-key': key } },
      body: { phoneNumbers: [...phoneNumbers], ...(reason === '' ? {} : { reason }) },
    }),
  );

/** The same from a spreadsheet. */
export function importToDoNotCall(file: File, reason: string, addsPlus: boolean, key: string) {
  const fields = {
    ...(reason === '' ? {} : { reason }),
    ...(addsPlus ? { missingPlus: 'add' as const } : {}),
  };
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  form.append('file', file);
  // The types know the body as JSON; a form is sent in its place.
  const body = { phoneNumbers: [] } satisfies Schemas['AddToDoNotCall'];
  return answered(
    client.POST('/v1/do-not-call', {
      params: { header: { 'idempotency-key': key } },
      body,
      bodySerializer: () => form,
    }),
  );
}

/** DELETE /v1/do-not-call/{e164} */
export const removeFromDoNotCall = (e164: string) =>
  answered(client.DELETE('/v1/do-not-call/{e164}', { params: { path: { e164 } } }));

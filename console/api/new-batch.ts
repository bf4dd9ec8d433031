import { queryOptions } from '@tanstack/react-query';
import { answered, client, type Schemas } from './client.js';

const minuteMs = 60_000;
/** Most that one request lists. */
const perPage = 100;

/** Outbound rules, newest first, with the numbers that they call from. @param search part of a name or number */
export const outboundRulesQuery = (search: string) =>
  queryOptions({
    queryKey: ['outbound-rules', search],
    queryFn: () =>
      answered(client.GET('/v2/sip/routing-rule', { params: { query: { type: 'outbound', search, perPage } } })),
    staleTime: minuteMs,
  });

/** An agent by the version that is live: what it says in calls. Null: it is not deployed. */
export const liveAgentQuery = (agentId: string | undefined) =>
  queryOptions({
    queryKey: ['live-agent', agentId],
    enabled: agentId !== undefined,
    staleTime: minuteMs,
    queryFn: async () => {
      if (agentId === undefined) return null;
      const { deploymentId } = await answered(client.GET('/v1/agents/{agentId}', { params: { path: { agentId } } }));
      if (deploymentId === undefined) return null;
      const path = { agentId, deploymentId };
      const { versionId } = await answered(
        client.GET('/v1/agents/{agentId}/deployments/{deploymentId}', { params: { path } }),
      );
      return answered(client.GET('/v1/agents/{agentId}', { params: { path: { agentId }, query: { versionId } } }));
    },
  });

/** Every language that an agent can speak, by name and code. */
export const languagesQuery = queryOptions({
  queryKey: ['languages'],
  queryFn: () => answered(client.GET('/v1/languages')),
  staleTime: Infinity,
});

/** GET /v1/account/defaults */
export const defaultsQuery = queryOptions({
  queryKey: ['defaults'],
  queryFn: () => answered(client.GET('/v1/account/defaults')),
  staleTime: minuteMs,
});

/** The form of create, its file in it, in place of the body that the types have. */
const bodyOf = (form: FormData) => ({ body: { name: '', file: '' }, bodySerializer: () => form });

/** The dry run: POST /v1/batch-calls/validate. Nothing is stored and no one is called. */
export const tryBatchCall = (form: FormData, signal: AbortSignal) =>
  answered(client.POST('/v1/batch-calls/validate', { ...bodyOf(form), signal }));

/** POST /v1/batch-calls @param key the same key makes at most one batch call, however often it is sent */
export const createBatchCall = (form: FormData, key: string) =>
  answered(client.POST('/v1/batch-calls', { ...bodyOf(form), params: { header: { 'idempotency-key': key } } }));

/** POST /v2/sip/call, likewise. */
export const placeCall = (body: Schemas['CreateCall'], key: string) =>
  answered(client.POST('/v2/sip/call', { body, params: { header: { 'idempotency-key': key } } }));

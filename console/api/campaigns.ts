import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { ListFilter } from '../app/list-search.js';
import { answered, client, type Schemas } from './client.js';
import { slowPollMs } from './queries.js';

/** GET /v1/campaigns */
export const campaignsQuery = (query: ListFilter) =>
  queryOptions({
    queryKey: ['campaigns', query],
    queryFn: () => answered(client.GET('/v1/campaigns', { params: { query: { ...query } } })),
    refetchInterval: slowPollMs,
    placeholderData: keepPreviousData,
  });

/** GET /v1/campaigns/{campaignId} */
export const campaignQuery = (campaignId: string) =>
  queryOptions({
    queryKey: ['campaign', campaignId],
    queryFn: () => answered(client.GET('/v1/campaigns/{campaignId}', { params: { path: { campaignId } } })),
    refetchInterval: slowPollMs,
  });

/** GET /v1/campaigns/{campaignId}/runs */
export const campaignRunsQuery = (campaignId: string, query: ListFilter) =>
  queryOptions({
    queryKey: ['campaign-runs', campaignId, query],
    queryFn: () =>
      answered(
        client.GET('/v1/campaigns/{campaignId}/runs', { params: { path: { campaignId }, query: { ...query } } }),
      ),
    refetchInterval: slowPollMs,
    placeholderData: keepPreviousData,
  });

/** POST /v1/campaigns */
export const createCampaign = (body: unknown, key: string) =>
  answered(
    client.POST('/v1/campaigns', {
      body: body as Schemas['CreateCampaign'],
      params: { header: { 'idempotency-key': key } },
    }),
  );

/** PATCH /v1/campaigns/{campaignId} */
export const changeCampaign = (campaignId: string, body: unknown) =>
  answered(
    client.PATCH('/v1/campaigns/{campaignId}', {
      params: { path: { campaignId } },
      body: body as Schemas['UpdateCampaign'],
    }),
  );

import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { ListFilter } from '../app/list-search.js';
import { answered, client, type Schemas } from './client.js';
import { slowPollMs } from './queries.js';

export type Direction = 'inbound' | 'outbound';

/** Which way the calls of a gateway go; its id says so. */
export const directionOf = (gatewayId: string): Direction => (gatewayId.startsWith('gwi_') ? 'inbound' : 'outbound');

/** Where the API has a gateway, for “As curl”. */
export const gatewayPath = (gatewayId: string): string =>
  `/v2/sip/${directionOf(gatewayId)}-gateways/${encodeURIComponent(gatewayId)}`;

/** GET /v2/sip/outbound-gateways, or …/inbound-gateways */
export const gatewaysQuery = (direction: Direction, query: ListFilter) =>
  queryOptions({
    queryKey: ['gateways', direction, query],
    queryFn: () =>
      answered(
        direction === 'outbound'
          ? client.GET('/v2/sip/outbound-gateways', { params: { query: { ...query } } })
          : client.GET('/v2/sip/inbound-gateways', { params: { query: { ...query } } }),
      ),
    refetchInterval: slowPollMs,
    placeholderData: keepPreviousData,
  });

/** One gateway, of either direction. */
export const getGateway = (id: string): Promise<Schemas['Gateway']> =>
  answered(
    directionOf(id) === 'outbound'
      ? client.GET('/v2/sip/outbound-gateways/{outboundGatewayId}', { params: { path: { outboundGatewayId: id } } })
      : client.GET('/v2/sip/inbound-gateways/{inboundGatewayId}', { params: { path: { inboundGatewayId: id } } }),
  );

/** The same, kept and asked for again. */
export const gatewayQuery = (gatewayId: string) =>
  queryOptions({
    queryKey: ['gateway', gatewayId],
    queryFn: () => getGateway(gatewayId),
    refetchInterval: slowPollMs,
  });

/** PATCH of a gateway of either direction. What was typed is checked by the API. */
export const changeGateway = (id: string, body: Schemas['UpdateGateway']): Promise<Schemas['Gateway']> =>
  answered(
    directionOf(id) === 'outbound'
      ? client.PATCH('/v2/sip/outbound-gateways/{outboundGatewayId}', {
          params: { path: { outboundGatewayId: id } },
          body,
        })
      : client.PATCH('/v2/sip/inbound-gateways/{inboundGatewayId}', {
          params: { path: { inboundGatewayId: id } },
          body,
        }),
  );

/** DELETE of a gateway of either direction. */
export const deleteGateway = (id: string): Promise<unknown> =>
  answered(
    directionOf(id) === 'outbound'
      ? client.DELETE('/v2/sip/outbound-gateways/{outboundGatewayId}', { params: { path: { outboundGatewayId: id } } })
      : client.DELETE('/v2/sip/inbound-gateways/{inboundGatewayId}', { params: { path: { inboundGatewayId: id } } }),
  );

/** GET /v2/sip/phone-numbers */
export const numbersQuery = (query: ListFilter) =>
  queryOptions({
    queryKey: ['numbers', query],
    queryFn: () => answered(client.GET('/v2/sip/phone-numbers', { params: { query: { ...query } } })),
    refetchInterval: slowPollMs,
    placeholderData: keepPreviousData,
  });

/** GET /v2/sip/phone-numbers/{phoneNumberId} */
export const numberQuery = (phoneNumberId: string) =>
  queryOptions({
    queryKey: ['number', phoneNumberId],
    queryFn: () =>
      answered(client.GET('/v2/sip/phone-numbers/{phoneNumberId}', { params: { path: { phoneNumberId } } })),
    refetchInterval: slowPollMs,
  });

interface RuleFilter extends ListFilter {
  readonly type?: Direction;
}

/** GET /v2/sip/routing-rule */
export const rulesQuery = (query: RuleFilter) =>
  queryOptions({
    queryKey: ['rules', query],
    queryFn: () => answered(client.GET('/v2/sip/routing-rule', { params: { query: { ...query } } })),
    refetchInterval: slowPollMs,
    placeholderData: keepPreviousData,
  });

/** GET /v2/sip/routing-rule/{ruleId} */
export const ruleQuery = (ruleId: string) =>
  queryOptions({
    queryKey: ['rule', ruleId],
    queryFn: () => answered(client.GET('/v2/sip/routing-rule/{ruleId}', { params: { path: { ruleId } } })),
    refetchInterval: slowPollMs,
  });

const answerDays = 7;
const dayMs = 86_400_000;

/** The first of the last seven days, today included, as figures name days. */
export const answersSince = (): string => new Date(Date.now() - (answerDays - 1) * dayMs).toISOString().slice(0, 10);

/** GET /v1/stats?by=phoneNumber of the last seven days: how many of the calls from each number are answered. */
export const answersQuery = queryOptions({
  queryKey: ['stats', 'phoneNumber', answerDays],
  queryFn: () => answered(client.GET('/v1/stats', { params: { query: { by: 'phoneNumber', from: answersSince() } } })),
  refetchInterval: 60_000,
});

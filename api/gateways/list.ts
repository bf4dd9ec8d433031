import { z } from 'zod';
import { listGateways } from '../../db/queries/telephony/gateways.js';
import { operation } from '../operation.js';
import { pageBody, pageOf, pageQuery, rowsOfPage } from '../pagination.js';
import { exampleGateway, Gateway, gatewayBody, type Direction } from './schema.js';

const Query = z.object({
  ...pageQuery,
  search: z.string().max(256).optional().describe('Part of the name, the address or a number, in any casing'),
});

const GatewayList = pageOf(Gateway).meta({
  id: 'GatewayList',
  examples: [{ pageInfo: { currentPage: 1, perPage: 20, lastPage: 1, total: 1 }, data: [exampleGateway] }],
});

const listOf = (direction: Direction) =>
  operation({
    name: `${direction}Gateways.list`,
    method: 'GET',
    url: `/v2/sip/${direction}-gateways`,
    family: 'sip',
    tag: direction === 'inbound' ? 'Inbound gateways' : 'Outbound gateways',
    schema: {
      summary: `List ${direction} gateways`,
      description: 'Newest first, including those made by registering numbers.',
      query: Query,
      response: { 200: GatewayList },
    },

    async handler({ query, caller }, { database: { db } }) {
      const filter = { direction, search: query.search, ...rowsOfPage(query) };
      const { total, rows } = await listGateways(db, caller.accountId, filter);
      return { status: 200, body: pageBody(query, total, rows.map(gatewayBody)) };
    },
  });

/** GET /v2/sip/inbound-gateways */
export const listInboundGateways = listOf('inbound');

/** GET /v2/sip/outbound-gateways */
export const listOutboundGateways = listOf('outbound');

import { z } from 'zod';
import { findGateway } from '../../db/queries/telephony/gateways.js';
import { operation } from '../operation.js';
import { noSuchGateway } from './missing.js';
import { Gateway, gatewayBody } from './schema.js';

/** GET /v2/sip/inbound-gateways/{id} */
export const getInboundGateway = operation({
  name: 'inboundGateways.get',
  method: 'GET',
  url: '/v2/sip/inbound-gateways/:inboundGatewayId',
  family: 'sip',
  tag: 'Inbound gateways',
  schema: {
    summary: 'Get an inbound gateway',
    description: 'The gateway, without its password.',
    params: z.object({ inboundGatewayId: z.string().describe('Id of the gateway, `gwi_…`') }),
    response: { 200: Gateway },
  },

  async handler({ params, caller }, { database: { db } }) {
    const row = await findGateway(db, caller.accountId, params.inboundGatewayId, 'inbound');
    if (row === null) throw noSuchGateway('inbound');
    return { status: 200, body: gatewayBody(row) };
  },
});

/** GET /v2/sip/outbound-gateways/{id} */
export const getOutboundGateway = operation({
  name: 'outboundGateways.get',
  method: 'GET',
  url: '/v2/sip/outbound-gateways/:outboundGatewayId',
  family: 'sip',
  tag: 'Outbound gateways',
  schema: {
    summary: 'Get an outbound gateway',
    description: 'The gateway, without its password.',
    params: z.object({ outboundGatewayId: z.string().describe('Id of the gateway, `gwo_…`') }),
    response: { 200: Gateway },
  },

  async handler({ params, caller }, { database: { db } }) {
    const row = await findGateway(db, caller.accountId, params.outboundGatewayId, 'outbound');
    if (row === null) throw noSuchGateway('outbound');
    return { status: 200, body: gatewayBody(row) };
  },
});

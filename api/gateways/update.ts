import { z } from 'zod';
import { operation } from '../operation.js';
import { changeGateway } from './change.js';
import { settingProblems } from './problems.js';
import { Gateway } from './schema.js';
import { UpdateGateway } from './update-body.js';

/** What every PATCH of a gateway promises; those of the others refer to it. */
const updateDescription =
  'Changes the fields that are sent, for calls that are not dialed yet. null takes a field back to its default, or removes ' +
  'it. `numbers` replaces the list: unknown ones are registered, and one that an unfinished batch call calls from cannot ' +
  'be taken off (409). Fields that cannot be changed may be sent back as they were answered; `auth` with the same user ' +
  'name and no password keeps the password. A suspended gateway is tried again at once.';

/** PATCH /v2/sip/inbound-gateways/{id} */
export const updateInboundGateway = operation({
  name: 'inboundGateways.update',
  method: 'PATCH',
  url: '/v2/sip/inbound-gateways/:inboundGatewayId',
  family: 'sip',
  tag: 'Inbound gateways',
  schema: {
    summary: 'Change an inbound gateway',
    description: 'By the rules of PATCH /v2/sip/outbound-gateways/{outboundGatewayId}.',
    params: z.object({ inboundGatewayId: z.string().describe('Id of the gateway, `gwi_…`') }),
    body: UpdateGateway,
    bodyProblems: settingProblems,
    response: { 200: Gateway },
    errors: [409],
  },

  async handler({ params, body, caller }, deps) {
    return { status: 200, body: await changeGateway(params.inboundGatewayId, 'inbound', body, caller, deps) };
  },
});

/** PATCH /v2/sip/outbound-gateways/{id} */
export const updateOutboundGateway = operation({
  name: 'outboundGateways.update',
  method: 'PATCH',
  url: '/v2/sip/outbound-gateways/:outboundGatewayId',
  family: 'sip',
  tag: 'Outbound gateways',
  schema: {
    summary: 'Change an outbound gateway',
    description: updateDescription,
    params: z.object({ outboundGatewayId: z.string().describe('Id of the gateway, `gwo_…`') }),
    body: UpdateGateway,
    bodyProblems: settingProblems,
    response: { 200: Gateway },
    errors: [409],
  },

  async handler({ params, body, caller }, deps) {
    return { status: 200, body: await changeGateway(params.outboundGatewayId, 'outbound', body, caller, deps) };
  },
});

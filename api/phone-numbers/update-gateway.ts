import { z } from 'zod';
import { changeGateway } from '../gateways/change.js';
import { settingProblems } from '../gateways/problems.js';
import { Gateway } from '../gateways/schema.js';
import { UpdateGateway } from '../gateways/update-body.js';
import { operation } from '../operation.js';

/** PATCH /v2/sip/phone-numbers/gateways/{gatewayId} */
export const updateNumberGateway = operation({
  name: 'phoneNumbers.updateGateway',
  method: 'PATCH',
  url: '/v2/sip/phone-numbers/gateways/:gatewayId',
  family: 'sip',
  tag: 'Phone numbers',
  schema: {
    summary: 'Change a gateway of a number',
    description:
      'An inbound or an outbound gateway, by the rules of PATCH /v2/sip/outbound-gateways/{outboundGatewayId}.',
    params: z.object({ gatewayId: z.string().describe('Id of the gateway, `gwi_…` or `gwo_…`') }),
    body: UpdateGateway,
    bodyProblems: settingProblems,
    response: {
      200: z.strictObject({
        message: z.string().meta({ description: 'What was done', examples: ['The gateway is changed.'] }),
        data: Gateway.describe('The gateway'),
      }),
    },
    errors: [409],
  },

  async handler({ params, body, caller }, deps) {
    const data = await changeGateway(params.gatewayId, undefined, body, caller, deps);
    return { status: 200, body: { message: 'The gateway is changed.', data } };
  },
});

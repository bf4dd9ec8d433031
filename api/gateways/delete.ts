import { z } from 'zod';
import { findGateway } from '../../db/queries/telephony/gateways.js';
import {
  batchOfGateway,
  deleteGateway,
  hasOpenCalls,
  lockGateway,
  lockLinks,
} from '../../db/queries/telephony/gateways-change.js';
import { conflict } from '../../domain/errors.js';
import { recordAudit } from '../audit.js';
import { doneWith } from '../done.js';
import { operation, type AppDeps, type Caller } from '../operation.js';
import { noSuchGateway } from './missing.js';
import type { Direction } from './schema.js';

async function remove(id: string, direction: Direction, caller: Caller, { database: { db } }: AppDeps) {
  const { accountId } = caller;
  await db.transaction().execute(async (tx) => {
    if ((await findGateway(tx, accountId, id, direction)) === null) throw noSuchGateway(direction);
    await lockLinks(tx, accountId, id);
    if (!(await lockGateway(tx, accountId, id))) throw noSuchGateway(direction);
    const batchId = await batchOfGateway(tx, accountId, id);
    if (batchId !== null) {
      throw conflict(`${batchId} dials by this gateway and is not finished. Cancel it, or wait for its end.`);
    }
    if (await hasOpenCalls(tx, accountId, id)) throw conflict('A call by this gateway is not over yet');
    await deleteGateway(tx, accountId, id);
    await recordAudit(tx, caller, `${direction}-gateway.delete`, id);
  });
  return { status: 200 as const, body: { message: 'The gateway is deleted.' } };
}

/** DELETE /v2/sip/inbound-gateways/{id} */
export const deleteInboundGateway = operation({
  name: 'inboundGateways.delete',
  method: 'DELETE',
  url: '/v2/sip/inbound-gateways/:inboundGatewayId',
  family: 'sip',
  tag: 'Inbound gateways',
  schema: {
    summary: 'Delete an inbound gateway',
    description: 'Its numbers stay on the account. 409 while a call that came in through it is not over.',
    params: z.object({ inboundGatewayId: z.string().describe('Id of the gateway, `gwi_…`') }),
    response: { 200: doneWith('The gateway is deleted.') },
    errors: [409],
  },
  handler: ({ params, caller }, deps) => remove(params.inboundGatewayId, 'inbound', caller, deps),
});

/** DELETE /v2/sip/outbound-gateways/{id} */
export const deleteOutboundGateway = operation({
  name: 'outboundGateways.delete',
  method: 'DELETE',
  url: '/v2/sip/outbound-gateways/:outboundGatewayId',
  family: 'sip',
  tag: 'Outbound gateways',
  schema: {
    summary: 'Delete an outbound gateway',
    description:
      'Its numbers stay on the account, and can be given another gateway. 409 while an unfinished batch call dials ' +
      'through it, or a call through it is not over.',
    params: z.object({ outboundGatewayId: z.string().describe('Id of the gateway, `gwo_…`') }),
    response: { 200: doneWith('The gateway is deleted.') },
    errors: [409],
  },
  handler: ({ params, caller }, deps) => remove(params.outboundGatewayId, 'outbound', caller, deps),
});

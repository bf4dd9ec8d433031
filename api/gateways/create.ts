import { v7 } from 'uuid';
import type { z } from 'zod';
import type { Db } from '../../db/client.js';
import { findGateway, insertGateways } from '../../db/queries/telephony/gateways.js';
import { notFound } from '../../domain/errors.js';
import { formatId } from '../../domain/ids.js';
import { recordAudit } from '../audit.js';
import { withIdempotency } from '../idempotency.js';
import { operation, type AppDeps, type OperationRequest } from '../operation.js';
import { columnsOf, credentialColumns } from './columns.js';
import { requireGrants } from '../grants.js';
import { wantedGrants } from './grants.js';
import { createBodyProblems, CreateInboundGateway, CreateOutboundGateway } from './create-body.js';
import { attachFailure, attachNumbers } from './numbers.js';
import { Gateway, gatewayBody, type Direction } from './schema.js';

type Body = z.output<typeof CreateInboundGateway> | z.output<typeof CreateOutboundGateway>;

async function create(
  direction: Direction,
  request: OperationRequest<undefined, undefined, Body>,
  deps: AppDeps,
): Promise<{ status: 201; body: Gateway }> {
  const { body, caller } = request;
  const { accountId } = caller;
  const { auth, geoRegion, ...settings } = body;
  const id = formatId(`${direction}Gateway`, v7());
  const work = async (tx: Db) => {
    await requireGrants(tx, accountId, wantedGrants(settings));
    const sipRegion = settings.sipRegion ?? geoRegion;
    const columns = columnsOf({ ...settings, sipRegion }, deps);
    const pace = { calls_per_second: deps.env.OUTDIAL_DEFAULT_CALLS_PER_SECOND };
    const credentials = credentialColumns(auth, { accountId, id }, deps);
    await insertGateways(tx, accountId, [{ id, direction, ...pace, ...columns, ...credentials }]);
    await attachNumbers(tx, accountId, { id, direction, name: settings.name }, settings.numbers);
    await recordAudit(tx, caller, `${direction}-gateway.create`, id, {
      name: settings.name,
      numbers: settings.numbers,
    });
    const row = await findGateway(tx, accountId, id);
    if (row === null) throw notFound('Gateway not found');
    return { status: 201 as const, body: gatewayBody(row) };
  };
  try {
    return await withIdempotency(request, deps, body, work);
  } catch (error) {
    throw attachFailure(error);
  }
}

/** POST /v2/sip/inbound-gateways */
export const createInboundGateway = operation({
  name: 'inboundGateways.create',
  method: 'POST',
  url: '/v2/sip/inbound-gateways',
  family: 'sip',
  tag: 'Inbound gateways',
  idempotent: true,
  schema: {
    summary: 'Create an inbound gateway',
    description:
      'Takes the calls to its numbers. Numbers that the account does not have yet are registered under the ' +
      'gateway’s name. A number has at most one inbound gateway over all accounts: another is 409. With `auth` the ' +
      'trunk has to present those credentials; with `allowedAddresses` it has to call from there. **With neither, ' +
      'and no `allowedIpAddresses` of the inbound rule, no calls are taken**, because anyone could call. Changes ' +
      'take effect within seconds.',
    body: CreateInboundGateway,
    bodyProblems: createBodyProblems('inbound'),
    response: { 201: Gateway },
  },
  handler: (request, deps) => create('inbound', request, deps),
});

/** POST /v2/sip/outbound-gateways */
export const createOutboundGateway = operation({
  name: 'outboundGateways.create',
  method: 'POST',
  url: '/v2/sip/outbound-gateways',
  family: 'sip',
  tag: 'Outbound gateways',
  idempotent: true,
  schema: {
    summary: 'Create an outbound gateway',
    description:
      'The trunk for calls from its numbers. Numbers that the account does not have yet are registered under the ' +
      'gateway’s name. A number has at most one outbound gateway: another is 409.',
    body: CreateOutboundGateway,
    bodyProblems: createBodyProblems('outbound'),
    response: { 201: Gateway },
  },
  handler: (request, deps) => create('outbound', request, deps),
});

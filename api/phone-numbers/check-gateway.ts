import { z } from 'zod';
import { secretPlaces } from '../../domain/account/secret-places.js';
import { findGateway, type AttachedGateway } from '../../db/queries/telephony/gateways.js';
import { gatewayBody } from '../gateways/schema.js';
import { noSuchGateway } from '../gateways/missing.js';
import { requireGrants } from '../grants.js';
import type { TrunkAnswer, TrunkEnd } from '../../domain/phone/trunk-end.js';
import { operation, type AppDeps } from '../operation.js';

/** A trunk that has not answered by then is as good as gone, and a request should not be held longer. */
const longestCheckMs = 10_000;

const Check = z
  .strictObject({
    reachable: z.boolean().describe('Whether the trunk answered'),
    statusCode: z.int().optional().describe('SIP status that it answered with; omitted if it did not'),
    milliseconds: z.number().optional().describe('How long the answer took'),
    message: z.string().describe('The result as a sentence, or why there is none'),
  })
  .meta({
    id: 'GatewayCheck',
    examples: [{ reachable: true, statusCode: 200, milliseconds: 38, message: 'The gateway answers.' }],
  });

const cannot = (message: string): TrunkAnswer => ({ reachable: false, message });

/** @throws Error if the password cannot be opened */
function authOf(row: AttachedGateway, { secretBox }: AppDeps): TrunkEnd['auth'] {
  const { auth_username: username, auth_password_sealed: sealed } = row;
  if (username === null || sealed === null) return undefined;
  return { username, password: secretBox.open(sealed, secretPlaces.gatewayPassword(row.account_id, row.id)) };
}

/** What is to be asked, or why nothing can be. */
function questionFor(row: AttachedGateway, deps: AppDeps): TrunkEnd | string {
  let auth: TrunkEnd['auth'];
  try {
    auth = authOf(row, deps);
  } catch (error) {
    deps.logger.error({ err: error, gatewayId: row.id }, 'the password of a gateway cannot be read');
    return 'The password of the gateway cannot be read, so no call goes by it. Set it again.';
  }
  const gateway = gatewayBody(row);
  if (gateway.address === undefined) return 'The gateway has no address to ask.';
  return {
    id: gateway.id,
    address: gateway.address,
    transport: gateway.transport ?? 'tls',
    ...(auth === undefined ? {} : { auth }),
    mediaEncryption: gateway.mediaEncryption,
    region: gateway.sipRegion,
    ...(gateway.fromHost === undefined ? {} : { fromHost: gateway.fromHost }),
    headers: gateway.headers,
    numberFormat: gateway.numberFormat,
  };
}

async function ask(question: TrunkEnd, { telephony, logger }: AppDeps): Promise<TrunkAnswer> {
  let timer: NodeJS.Timeout | undefined;
  const tooLong = new Promise<TrunkAnswer>((resolve) => {
    const words = `There was no answer within ${longestCheckMs / 1000} seconds.`;
    timer = setTimeout(() => resolve(cannot(words)), longestCheckMs);
  });
  try {
    return await Promise.race([telephony.checkGateway(question), tooLong]);
  } catch (error) {
    logger.warn({ err: error, gatewayId: question.id }, 'a gateway could not be checked');
    return cannot('The gateway could not be checked: the service that carries calls cannot be reached now.');
  } finally {
    clearTimeout(timer);
  }
}

/** POST /v2/sip/phone-numbers/gateways/{gatewayId}/check */
export const checkGateway = operation({
  name: 'phoneNumbers.checkGateway',
  method: 'POST',
  url: '/v2/sip/phone-numbers/gateways/:gatewayId/check',
  family: 'sip',
  tag: 'Phone numbers',
  schema: {
    summary: 'Ask a gateway whether it answers',
    description:
      'Sends SIP OPTIONS to the trunk and says what came back, after 10 seconds at the latest. If the gateway ' +
      'cannot be asked (it has no address, or the service that carries calls cannot be reached), `reachable` is ' +
      'false and `message` says why.',
    params: z.object({ gatewayId: z.string().describe('Id of the gateway, `gwi_…` or `gwo_…`') }),
    response: { 200: Check },
  },

  async handler({ params, caller }, deps) {
    const row = await findGateway(deps.database.db, caller.accountId, params.gatewayId);
    if (row === null) throw noSuchGateway();
    if (row.address !== null) {
      await requireGrants(deps.database.db, caller.accountId, { numbers: [], hosts: [row.address] });
    }
    const question = questionFor(row, deps);
    const answer = typeof question === 'string' ? cannot(question) : await ask(question, deps);
    const { reachable, statusCode, milliseconds, message } = answer;
    return {
      status: 200,
      body: {
        reachable,
        ...(statusCode === undefined ? {} : { statusCode }),
        ...(milliseconds === undefined ? {} : { milliseconds }),
        message,
      },
    };
  },
});

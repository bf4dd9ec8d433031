import { z } from 'zod';
import { type Lines, reservedCallsProblems } from '../../domain/call/reserved-calls.js';
import type { Problem } from '../../domain/errors.js';
import type { AppDeps } from '../operation.js';
import { clearable } from '../fields.js';
import { changedReadOnly, ofTwoNames } from '../patch.js';
import {
  CreateInboundGateway,
  CreateOutboundGateway,
  defaultLines,
  type InboundSettings,
  type OutboundSettings,
} from './create-body.js';
import { Credentials, dialingFields, gatewayFields } from './fields.js';
import { linesAllowed } from './problems.js';
import type { Direction, Gateway } from './schema.js';

const readOnly = {
  id: z.string().optional().describe('Cannot be changed'),
  createdAt: z.string().optional().describe('Cannot be changed'),
  updatedAt: z.string().optional().describe('Cannot be changed'),
};

/** Of either direction: which fields a gateway has is known once it has been found. */
export const UpdateGateway = z
  .strictObject({
    ...readOnly,
    name: gatewayFields.name.optional(),
    numbers: clearable(gatewayFields.numbers),
    address: clearable(gatewayFields.address),
    transport: clearable(gatewayFields.transport),
    auth: clearable(
      Credentials.partial({ password: true })
        .meta({ id: 'ChangedGatewayCredentials' })
        .describe('null removes the credentials; a user name alone, unchanged, keeps its password'),
    ),
    mediaEncryption: clearable(gatewayFields.mediaEncryption),
    sipRegion: clearable(gatewayFields.sipRegion),
    geoRegion: clearable(gatewayFields.geoRegion),
    allowedAddresses: clearable(gatewayFields.allowedAddresses),
    allowedNumbers: clearable(gatewayFields.allowedNumbers),
    record: clearable(gatewayFields.record),
    noiseCancellation: clearable(gatewayFields.noiseCancellation),
    enableDtmf: clearable(gatewayFields.enableDtmf),
    metadata: clearable(gatewayFields.metadata),
    tags: clearable(gatewayFields.tags),
    maxConcurrentCalls: clearable(dialingFields.maxConcurrentCalls),
    reservedCalls: clearable(dialingFields.reservedCalls),
    callsPerSecond: clearable(dialingFields.callsPerSecond),
    ringTimeoutSeconds: clearable(dialingFields.ringTimeoutSeconds),
    maxCallSeconds: clearable(dialingFields.maxCallSeconds),
    fromHost: clearable(dialingFields.fromHost),
    headers: clearable(dialingFields.headers),
    numberFormat: clearable(dialingFields.numberFormat),
  })
  .meta({
    id: 'UpdateGateway',
    examples: [{ name: 'Main trunk', auth: { username: 'acme', password: 'new' } }],
  });
export type UpdateGateway = z.output<typeof UpdateGateway>;

const never = ['id', 'createdAt', 'updatedAt'];
const Inbound = CreateInboundGateway.omit({ auth: true, geoRegion: true });
const Outbound = CreateOutboundGateway.omit({ auth: true, geoRegion: true });

const afterwards = <Value>(sent: Value | null | undefined, current: Value, cleared: Value): Value =>
  sent === undefined ? current : (sent ?? cleared);

function reservedProblems(patch: UpdateGateway, current: Gateway, deps: AppDeps): Problem[] {
  const sent = (['maxConcurrentCalls', 'reservedCalls'] satisfies (keyof Lines)[]).filter(
    (field) => patch[field] !== undefined && patch[field] !== current[field],
  );
  const lines = afterwards(patch.maxConcurrentCalls, current.maxConcurrentCalls, defaultLines);
  const reservedCalls = afterwards(patch.reservedCalls, current.reservedCalls, 0);
  return reservedCallsProblems({ maxConcurrentCalls: linesAllowed(lines, deps), reservedCalls }, sent);
}

/** What cannot be changed on this gateway and would be. */
function refusals(patch: UpdateGateway, current: Gateway, direction: Direction, deps: AppDeps): Problem[] {
  const foreign = direction === 'inbound' ? Object.keys(dialingFields) : ['allowedAddresses'];
  const words = `is for ${direction === 'inbound' ? 'outbound' : 'inbound'} gateways only`;
  const problems = [...changedReadOnly(patch, current, never), ...changedReadOnly(patch, current, foreign, words)];
  if (direction === 'outbound' && patch.address === null) {
    problems.push({ path: 'address', code: 'REQUIRED', message: 'is required for an outbound gateway' });
  }
  const { auth } = patch;
  if (auth?.password === undefined && typeof auth?.username === 'string' && auth.username !== current.auth?.username) {
    problems.push({ path: 'auth.password', code: 'REQUIRED', message: 'is required with another user name' });
  }
  return direction === 'outbound' ? [...problems, ...reservedProblems(patch, current, deps)] : problems;
}

/** What a gateway's settings are to be: those that were sent, the default of those that were cleared, else as they are. */
export function settingsAfter(
  patch: UpdateGateway,
  current: Gateway,
  direction: Direction,
  deps: AppDeps,
): { readonly settings: InboundSettings | OutboundSettings } | { readonly problems: readonly Problem[] } {
  const problems = refusals(patch, current, direction, deps);
  const region = ofTwoNames(patch.sipRegion, patch.geoRegion, current.sipRegion);
  if (region === 'disagree') {
    const message = 'is another name for sipRegion and must not differ from it';
    problems.push({ path: 'geoRegion', code: 'INVALID_VALUE', message });
  }
  if (problems.length > 0 || region === 'disagree') return { problems };

  const schema = direction === 'inbound' ? Inbound : Outbound;
  const sent = Object.entries({ ...patch, sipRegion: region.value }).filter(([, value]) => value !== undefined);
  const merged: Record<string, unknown> = { ...current, ...Object.fromEntries(sent) };
  const settings = Object.entries(merged).filter(([field, value]) => field in schema.shape && value !== null);
  return { settings: schema.parse(Object.fromEntries(settings)) };
}

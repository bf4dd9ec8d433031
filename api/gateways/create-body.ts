import { z } from 'zod';
import { reservedCallsProblems } from '../../domain/call/reserved-calls.js';
import type { Problem } from '../../domain/errors.js';
import type { AppDeps } from '../operation.js';
import { valueAt } from '../validation.js';
import { Credentials, dialingFields, gatewayFields } from './fields.js';
import { linesAllowed, settingProblems } from './problems.js';
import type { Direction } from './schema.js';

/** Lines of a gateway that names none. */
export const defaultLines = 50;

const shared = {
  name: gatewayFields.name,
  numbers: gatewayFields.numbers.default([]),
  auth: Credentials.optional().describe('Credentials; omitted if the trunk identifies you by address'),
  mediaEncryption: gatewayFields.mediaEncryption.default('disable'),
  sipRegion: gatewayFields.sipRegion.optional(),
  geoRegion: gatewayFields.geoRegion.optional(),
  allowedAddresses: gatewayFields.allowedAddresses.default([]),
  allowedNumbers: gatewayFields.allowedNumbers.default([]),
  record: gatewayFields.record.default(false),
  noiseCancellation: gatewayFields.noiseCancellation.default(false),
  enableDtmf: gatewayFields.enableDtmf.default(false),
  metadata: gatewayFields.metadata.default({}),
  tags: gatewayFields.tags.default([]),
};

export const CreateInboundGateway = z
  .strictObject({
    ...shared,
    address: gatewayFields.address.optional(),
    transport: gatewayFields.transport.optional(),
  })
  .meta({
    id: 'CreateInboundGateway',
    examples: [
      {
        name: 'Reception',
        numbers: ['+14155550100'],
        allowedAddresses: ['198.51.100.0/24'],
        mediaEncryption: 'disable',
        geoRegion: 'auto',
      },
    ],
  });

export const CreateOutboundGateway = z
  .strictObject({
    ...shared,
    address: gatewayFields.address,
    transport: gatewayFields.transport.default('tls'),
    maxConcurrentCalls: dialingFields.maxConcurrentCalls.default(defaultLines),
    reservedCalls: dialingFields.reservedCalls.default(0),
    callsPerSecond: dialingFields.callsPerSecond
      .optional()
      .describe('Most calls started in a second; default OUTDIAL_DEFAULT_CALLS_PER_SECOND'),
    ringTimeoutSeconds: dialingFields.ringTimeoutSeconds.default(45),
    maxCallSeconds: dialingFields.maxCallSeconds.default(3600),
    fromHost: dialingFields.fromHost.optional(),
    headers: dialingFields.headers.default({}),
    numberFormat: dialingFields.numberFormat.default('e164'),
  })
  .meta({
    id: 'CreateOutboundGateway',
    examples: [
      {
        name: 'Reminders',
        numbers: ['+14155550100'],
        address: 'sip.carrier.example:5061',
        transport: 'tls',
        auth: { username: 'acme', password: 'a long secret' },
        maxConcurrentCalls: 20,
        callsPerSecond: 2,
      },
    ],
  });

export type InboundSettings = Omit<z.output<typeof CreateInboundGateway>, 'auth' | 'geoRegion'>;
export type OutboundSettings = Omit<z.output<typeof CreateOutboundGateway>, 'auth' | 'geoRegion'>;

/** Rules that need the settings, those between fields, and those of one direction. */
export const createBodyProblems =
  (direction: Direction) =>
  (body: unknown, deps: AppDeps): Problem[] => {
    const problems = settingProblems(body, deps);
    const [sipRegion, geoRegion] = [valueAt(body, ['sipRegion']), valueAt(body, ['geoRegion'])];
    if (sipRegion !== undefined && geoRegion !== undefined && sipRegion !== geoRegion) {
      const message = 'is another name for sipRegion and must not differ from it';
      problems.push({ path: 'geoRegion', code: 'INVALID_VALUE', message });
    }
    const allowed = valueAt(body, ['allowedAddresses']);
    if (direction === 'outbound' && Array.isArray(allowed) && allowed.length > 0) {
      problems.push({ path: 'allowedAddresses', code: 'INVALID_VALUE', message: 'is for inbound gateways only' });
    }
    return direction === 'outbound' ? [...problems, ...reservedProblems(body, deps)] : problems;
  };

function reservedProblems(body: unknown, deps: AppDeps): Problem[] {
  const [most, reserved] = [valueAt(body, ['maxConcurrentCalls']), valueAt(body, ['reservedCalls'])];
  if (typeof reserved !== 'number' || (most !== undefined && typeof most !== 'number')) return [];
  const maxConcurrentCalls = linesAllowed(most ?? defaultLines, deps);
  return reservedCallsProblems({ maxConcurrentCalls, reservedCalls: reserved }, ['reservedCalls']);
}

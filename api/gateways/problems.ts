import type { Problem } from '../../domain/errors.js';
import { parseSipAddress } from '../../domain/phone/sip-address.js';
import { mayCallTrunk } from '../../platform/trunk-address.js';
import { isLargerThan, repeatsIn } from '../fields.js';
import type { AppDeps } from '../operation.js';
import { recordingProblems } from '../recordings.js';
import { valueAt } from '../validation.js';

/** Largest metadata of a gateway, as of a call. */
const metadataBytes = 16_384;

/** Why a text is not the address of a trunk, or null. */
export function addressProblem(text: string, { env }: AppDeps): string | null {
  const address = parseSipAddress(text);
  if (address === null) return 'must be host or host:port, without a scheme, such as sip.example.com:5061';
  const allowed = mayCallTrunk(address.host, { allowPrivate: env.OUTDIAL_ALLOW_PRIVATE_SIP });
  return allowed ? null : 'must not be a private or reserved address';
}

/** Why a text is not a region of this service, or null. */
export function regionProblem(region: string, { env }: AppDeps): string | null {
  const regions = ['auto', ...env.OUTDIAL_REGIONS];
  return regions.includes(region) ? null : `must be one of: ${regions.join(', ')}`;
}

/** What the operator allows a gateway at most, by the field of the gateway. */
export function gatewayLimits({ env }: AppDeps) {
  return {
    callsPerSecond: env.OUTDIAL_MAX_CALLS_PER_SECOND ?? Infinity,
    maxConcurrentCalls: env.OUTDIAL_MAX_CONCURRENT_CALLS ?? Infinity,
  };
}

/** Lines that a gateway gets if it asks for so many. */
export const linesAllowed = (asked: number, deps: AppDeps): number =>
  Math.min(asked, gatewayLimits(deps).maxConcurrentCalls);

function hostProblem(text: string): string | null {
  return parseSipAddress(text)?.port === null ? null : 'must be a host without a port, such as pbx.example.com';
}

/** Problems that depend on the service's settings or on several fields, which the schema of a field cannot see. */
export function settingProblems(body: unknown, deps: AppDeps): Problem[] {
  const problems: Problem[] = [];
  const wrong = (path: string, message: string, code = 'INVALID_VALUE') => problems.push({ path, code, message });
  const check = (path: string, problemOf: (text: string, deps: AppDeps) => string | null) => {
    const text = valueAt(body, [path]);
    const problem = typeof text === 'string' && text !== '' ? problemOf(text, deps) : null;
    if (problem !== null) wrong(path, problem);
  };
  check('address', addressProblem);
  check('sipRegion', regionProblem);
  check('geoRegion', regionProblem);
  check('fromHost', hostProblem);

  for (const [field, most] of Object.entries(gatewayLimits(deps))) {
    const sent = valueAt(body, [field]);
    if (typeof sent === 'number' && sent > most)
      wrong(field, `must be at most ${most}: the operator of this service allows no more`);
  }

  const numbers = valueAt(body, ['numbers']);
  for (const { index, first } of Array.isArray(numbers) ? repeatsIn(numbers) : []) {
    wrong(`numbers[${index}]`, `is the same as numbers[${first}]`);
  }
  const metadata = valueAt(body, ['metadata']);
  if (typeof metadata === 'object' && metadata !== null && isLargerThan(metadata, metadataBytes)) {
    wrong('metadata', `must be at most ${metadataBytes} bytes as JSON`, 'TOO_LONG');
  }
  return [...problems, ...recordingProblems(body, 'record', deps)];
}

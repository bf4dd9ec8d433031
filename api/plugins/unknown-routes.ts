import type { FastifyReply, FastifyRequest } from 'fastify';
import { Failure, notFound } from '../../domain/errors.js';
import { operations } from '../operations.js';

const reference = 'GET /docs shows every operation';

interface KnownPath {
  readonly pattern: RegExp;
  readonly method: string;
}

const patternOf = (url: string): RegExp =>
  new RegExp(`^${url.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replace(/:\w+/g, '[^/]+')}/?$`);

const knownPaths: readonly KnownPath[] = [
  ...operations.map(({ url, method }) => ({ pattern: patternOf(url), method })),
  ...['/', '/healthz', '/readyz', '/openapi.json', '/docs'].map((url) => ({ pattern: patternOf(url), method: 'GET' })),
];

/** Methods that something answers at this path, as an Allow header lists them. */
function methodsAt(path: string): string[] {
  const methods = new Set(knownPaths.filter(({ pattern }) => pattern.test(path)).map(({ method }) => method));
  if (methods.has('GET')) methods.add('HEAD');
  return [...methods].sort();
}

/** The answer to a request that no operation takes: another method would be taken here, or nothing is here. */
export function failureForUnknown({ url, method }: FastifyRequest, reply: FastifyReply): Failure {
  const methods = methodsAt(url.split('?')[0] ?? url);
  if (methods.length === 0 || methods.includes(method)) return notFound(`There is no such operation. ${reference}.`);
  reply.header('allow', methods.join(', '));
  return new Failure('method_not_allowed', `${method} is not answered here, ${methods.join(', ')} is. ${reference}.`);
}

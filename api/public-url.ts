import type { FastifyRequest } from 'fastify';
import type { Env } from '../platform/env.js';

/**
 * Base URL at which clients and browsers find this service, without a slash at its end; if no setting says so, the
 * address that this very request came to.
 */
export function publicUrl({ OUTDIAL_PUBLIC_URL, OUTDIAL_HOST, OUTDIAL_PORT }: Env, { socket }: FastifyRequest): string {
  const host = OUTDIAL_HOST.includes(':') ? `[${OUTDIAL_HOST}]` : OUTDIAL_HOST;
  return (OUTDIAL_PUBLIC_URL ?? `http://${host}:${socket.localPort ?? OUTDIAL_PORT}`).replace(/\/+$/, '');
}

import type { FastifyReply, FastifyRequest } from 'fastify';
import { uuidOf } from '../../domain/ids.js';
import { idsNamedIn } from '../../domain/trace/request-spans.js';

/** Adds ids to what is logged about a request from here on, its last line included. */
export function logWith(request: FastifyRequest, reply: FastifyReply, ids: Readonly<Record<string, string>>): void {
  request.log = request.log.child(ids);
  reply.log = request.log;
}

/** The batch and the call that a request is about: by its address, or by what its answer says was made. */
export function subjectsOfRequest(params: unknown, body: unknown): Readonly<Record<string, string>> {
  const ids = idsNamedIn(params, body);
  const batchId = ids.find((id) => uuidOf('batch', id) !== null);
  const callId = ids.find((id) => uuidOf('call', id) !== null);
  return { ...(batchId === undefined ? {} : { batchId }), ...(callId === undefined ? {} : { callId }) };
}

import { notFound, type Failure } from '../../domain/errors.js';
import type { Direction } from './schema.js';

const words = { inbound: 'Inbound gateway not found', outbound: 'Outbound gateway not found' };

/** The account has no such gateway, or it is one of the other direction. */
export const noSuchGateway = (direction?: Direction): Failure =>
  notFound(direction === undefined ? 'Gateway not found' : words[direction]);

import type { Operation } from '../operation.js';
import { createInboundGateway, createOutboundGateway } from './create.js';
import { deleteInboundGateway, deleteOutboundGateway } from './delete.js';
import { getInboundGateway, getOutboundGateway } from './get.js';
import { listInboundGateways, listOutboundGateways } from './list.js';
import { updateInboundGateway, updateOutboundGateway } from './update.js';

export const gatewayOperations: readonly Operation[] = [
  createInboundGateway,
  listInboundGateways,
  getInboundGateway,
  updateInboundGateway,
  deleteInboundGateway,
  createOutboundGateway,
  listOutboundGateways,
  getOutboundGateway,
  updateOutboundGateway,
  deleteOutboundGateway,
];

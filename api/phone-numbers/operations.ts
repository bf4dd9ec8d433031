import type { Operation } from '../operation.js';
import { checkGateway } from './check-gateway.js';
import { createPhoneNumbers } from './create.js';
import { detachPhoneNumber } from './detach.js';
import { getPhoneNumber } from './get.js';
import { listPhoneNumbers } from './list.js';
import { releasePhoneNumber } from './release.js';
import { updatePhoneNumber } from './update.js';
import { updateNumberGateway } from './update-gateway.js';

export const phoneNumberOperations: readonly Operation[] = [
  createPhoneNumbers,
  listPhoneNumbers,
  getPhoneNumber,
  updatePhoneNumber,
  detachPhoneNumber,
  releasePhoneNumber,
  updateNumberGateway,
  checkGateway,
];

import type { Operation } from '../operation.js';
import { createPhoneNumbers } from './create.js';
import { listPhoneNumbers } from './list.js';

export const phoneNumberOperations: readonly Operation[] = [createPhoneNumbers, listPhoneNumbers];

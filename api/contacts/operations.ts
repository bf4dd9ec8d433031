import type { Operation } from '../operation.js';
import { eraseContactOfAccount } from './erase.js';
import { getContact } from './get.js';

export const contactOperations: readonly Operation[] = [getContact, eraseContactOfAccount];

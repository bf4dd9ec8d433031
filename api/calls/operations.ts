import type { Operation } from '../operation.js';
import { createCall } from './create.js';
import { getCall } from './get.js';

export const callOperations: readonly Operation[] = [createCall, getCall];

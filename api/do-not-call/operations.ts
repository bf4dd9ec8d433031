import type { Operation } from '../operation.js';
import { addToDoNotCall } from './add.js';
import { listDoNotCallEntries } from './list.js';
import { removeFromDoNotCall } from './remove.js';

export const doNotCallOperations: readonly Operation[] = [addToDoNotCall, listDoNotCallEntries, removeFromDoNotCall];

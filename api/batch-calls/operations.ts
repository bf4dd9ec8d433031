import type { Operation } from '../operation.js';
import { cancelBatchCall } from './cancel.js';
import { createBatchCall } from './create.js';
import { getBatchCall } from './get.js';
import { listBatchCallsOfAccount } from './list.js';
import { pauseBatchCall } from './pause.js';
import { listBatchRecords } from './records.js';
import { listBatchRejectedRows } from './rejected-rows.js';
import { resumeBatchCall } from './resume.js';
import { getBatchStats } from './stats.js';

export const batchCallOperations: readonly Operation[] = [
  createBatchCall,
  listBatchCallsOfAccount,
  getBatchCall,
  cancelBatchCall,
  pauseBatchCall,
  resumeBatchCall,
  getBatchStats,
  listBatchRecords,
  listBatchRejectedRows,
];

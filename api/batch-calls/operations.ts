import type { Operation } from '../operation.js';
import { addRecipients } from './add-recipients.js';
import { callBatchRecordAgain } from './call-again.js';
import { callBatchRecordBack } from './callback.js';
import { cancelBatchCall } from './cancel.js';
import { closeBatchCall } from './close.js';
import { listBatchCorrectedRows } from './corrected-rows.js';
import { createBatchCall } from './create.js';
import { deleteBatchCall } from './delete.js';
import { exportBatchRecords } from './export.js';
import { getBatchCall } from './get.js';
import { listBatchCallsOfAccount } from './list.js';
import { pauseBatchCall } from './pause.js';
import { listBatchRecords } from './records.js';
import { redeliverBatchWebhook } from './redeliver.js';
import { listBatchRejectedRows } from './rejected-rows.js';
import { resumeBatchCall } from './resume.js';
import { retryBatchCall } from './retry.js';
import { skipBatchRecord } from './skip-record.js';
import { getBatchStats } from './stats.js';
import { getBatchTimeline } from './timeline.js';
import { updateBatchRecord } from './update-record.js';
import { updateBatchCall } from './update.js';
import { validateBatchCall } from './validate.js';
import { listBatchWebhookDeliveries } from './webhook-deliveries.js';

export const batchCallOperations: readonly Operation[] = [
  createBatchCall,
  validateBatchCall,
  listBatchCallsOfAccount,
  getBatchCall,
  updateBatchCall,
  deleteBatchCall,
  addRecipients,
  closeBatchCall,
  cancelBatchCall,
  pauseBatchCall,
  resumeBatchCall,
  retryBatchCall,
  getBatchStats,
  getBatchTimeline,
  listBatchRecords,
  skipBatchRecord,
  callBatchRecordAgain,
  callBatchRecordBack,
  updateBatchRecord,
  exportBatchRecords,
  listBatchRejectedRows,
  listBatchCorrectedRows,
  listBatchWebhookDeliveries,
  redeliverBatchWebhook,
];

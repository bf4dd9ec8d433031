import type { Operation } from '../operation.js';
import { createCall } from './create.js';
import { endCall } from './end.js';
import { getCall } from './get.js';
import { listenToCall } from './listen.js';
import { listCallsOfAccount } from './list.js';
import { getRecording } from './recording.js';
import { transferCall } from './transfer.js';
import { whisperToAgent } from './whisper.js';

export const callOperations: readonly Operation[] = [
  createCall,
  listCallsOfAccount,
  getCall,
  getRecording,
  transferCall,
  endCall,
  listenToCall,
  whisperToAgent,
];

import type { Operation } from '../operation.js';
import { createTool } from './create.js';
import { removeTool } from './delete.js';
import { getTool } from './get.js';
import { listToolsOfAccount } from './list.js';
import { patchTool } from './update.js';

export const toolOperations: readonly Operation[] = [createTool, listToolsOfAccount, getTool, patchTool, removeTool];

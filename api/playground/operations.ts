import type { Operation } from '../operation.js';
import { askAgent } from './ask-agent.js';
import { createPlaygroundSession } from './create-session.js';

export const playgroundOperations: readonly Operation[] = [createPlaygroundSession, askAgent];

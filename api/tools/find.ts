import type { ToolRow } from '../../db/queries/agents/tools.js';
import { notFound } from '../../domain/errors.js';

/** @throws Failure `not_found` if the account has no such tool */
export function requireTool(tool: ToolRow | null): ToolRow {
  if (tool === null) throw notFound('Tool not found');
  return tool;
}

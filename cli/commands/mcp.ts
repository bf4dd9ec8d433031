import type { Command } from 'commander';
import type { McpFlags } from '../mcp/run.js';
import { namesService } from './service-options.js';

/** `outdial mcp` */
export function mcpCommand(program: Command): void {
  namesService(program.command('mcp'))
    .option('--allow-changes', 'offer tools that change things, too')
    .option('--allow-dialing', 'offer tools because of which people may be called, too; each does a dry run first')
    .description(
      'Serve the API as tools of the Model Context Protocol, over standard input and output; reads only by itself',
    )
    .action(async (flags: McpFlags) => (await import('../mcp/run.js')).runMcp(flags));
}

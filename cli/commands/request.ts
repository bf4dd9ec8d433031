import { type Command, Option } from 'commander';
import { namesService, several } from './service-options.js';
import type { ServiceFlags } from '../client/connection.js';
import { wrongUsage } from '../client/exit-codes.js';

export interface RequestFlags extends ServiceFlags {
  readonly field?: readonly string[];
  readonly header?: readonly string[];
  readonly input?: string;
  readonly list?: true;
  readonly output: 'table' | 'json' | 'csv';
  readonly quiet?: true;
}

/** `outdial api`: alone it runs the API; with a request it asks the API of a service. */
export function apiCommand(program: Command): void {
  namesService(program.command('api'))
    .description('Run the HTTP API; with a request, such as `api GET /v1/account`, ask that of a service')
    .argument('[method]', 'GET, POST, PUT, PATCH or DELETE')
    .argument('[path]', 'path of an operation, with its query')
    .option(
      '-f, --field <name=value>',
      'field of the query (GET, DELETE) or of the JSON body; @file sends a form',
      several,
    )
    .option('-H, --header <name: value>', 'header of the request', several)
    .option('--input <file>', 'file that is the JSON body; - reads standard input')
    .option('--list', 'list the operations of the service')
    .addOption(new Option('-o, --output <form>', 'with --list').choices(['table', 'json', 'csv']).default('table'))
    .option('-q, --quiet', 'with --list: ids only')
    .addHelpText(
      'after',
      `
Requests:
  outdial api --list
  outdial api GET /v1/batch-calls -f status=running
  outdial api PUT /v1/account/guardrails -f 'allowedCountries=["US","GB"]'
  outdial api POST /v1/do-not-call -f file=@numbers.csv`,
    )
    .action(async (method: string | undefined, path: string | undefined, flags: RequestFlags) => {
      const asks = method !== undefined || flags.list === true;
      if (asks) await (await import('../client/request.js')).request(method, path, flags);
      else {
        refuseFlags(flags);
        await (await import('../roles/api.js')).runApi();
      }
    });
}

/** The role takes no options: one that is given belongs to a request that was forgotten. */
function refuseFlags({ field, header, input, data, profile, quiet }: RequestFlags): void {
  const given = Object.entries({ field, header, input, data, profile, quiet }).find(([, value]) => value !== undefined);
  if (given !== undefined)
    throw wrongUsage(`--${given[0]} belongs to a request: outdial api GET /v1/account, for one.`);
}

import { z } from 'zod';
import { listRules } from '../../db/queries/telephony/routing-rules.js';
import { operation } from '../operation.js';
import { pageBody, pageOf, pageQuery, rowsOfPage } from '../pagination.js';
import { exampleRule, RoutingRule, roomTypes, routingRuleBody, ruleTypes } from './schema.js';

/** A parameter that may come once or several times, each time with commas; undefined if nothing is in it. */
const commaSeparated = (describe: string) =>
  z
    .union([z.string(), z.array(z.string())])
    .optional()
    .transform((value) => {
      const words = [value ?? []]
        .flat()
        .flatMap((part) => part.split(','))
        .map((word) => word.trim())
        .filter((word) => word !== '');
      return words.length === 0 ? undefined : words;
    })
    .describe(describe);

const Query = z.object({
  ...pageQuery,
  search: z.string().max(256).optional().describe('Part of the name or of an attached number, in any casing'),
  type: z
    .union([z.string(), z.array(z.string())])
    .optional()
    .transform((value) => ruleTypes.find((type) => type === value))
    .describe('inbound or outbound; any other value is ignored'),
  ruleIds: commaSeparated('Ids of rules, comma-separated or repeated'),
  roomType: commaSeparated('static, dynamic, or both comma-separated; other values are ignored'),
});

/** GET /v2/sip/routing-rule */
export const listRoutingRules = operation({
  name: 'routingRules.list',
  method: 'GET',
  url: '/v2/sip/routing-rule',
  family: 'sip',
  tag: 'Routing rules',
  schema: {
    summary: 'List routing rules',
    description: 'Newest first. `type` and `roomType` ignore unknown values; `ruleIds` of other accounts find nothing.',
    query: Query,
    response: {
      200: pageOf(RoutingRule).meta({
        examples: [{ pageInfo: { currentPage: 1, perPage: 20, lastPage: 1, total: 1 }, data: [exampleRule] }],
      }),
    },
  },

  async handler({ query, caller }, deps) {
    const asked = roomTypes.filter((type) => query.roomType?.includes(type));
    const { total, rows } = await listRules(deps.database.db, caller.accountId, {
      search: query.search,
      type: query.type,
      ruleIds: query.ruleIds,
      roomTypes: asked.length === 0 ? undefined : asked,
      ...rowsOfPage(query),
    });
    return {
      status: 200,
      body: pageBody(
        query,
        total,
        rows.map((row) => routingRuleBody(row, caller, deps)),
      ),
    };
  },
});

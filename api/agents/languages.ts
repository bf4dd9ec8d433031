import { z } from 'zod';
import { languages } from '../../domain/agent/languages.js';
import { operation } from '../operation.js';
import { pageBody, pageOf, pageQuery, rowsOfPage } from '../pagination.js';

const Language = z
  .strictObject({
    name: z.string().describe('Key of a block in `languages`'),
    code: z.string().describe('Its code, as models are asked for it'),
    variants: z.array(z.string()).describe('Regional forms that a model entry can ask for in `language`'),
  })
  .meta({ id: 'Language', examples: [{ name: 'hindi', code: 'hi', variants: ['hi-IN'] }] });

/** GET /v1/languages */
export const listLanguages = operation({
  name: 'languages.list',
  method: 'GET',
  url: '/v1/languages',
  family: 'agents',
  tag: 'Agents',
  schema: {
    summary: 'List the languages that a config can name',
    description: 'The keys of `languages` in a config are their names, in any casing. The same for every account.',
    query: z.object(pageQuery),
    response: { 200: pageOf(Language) },
  },

  async handler({ query }) {
    const { offset, limit } = rowsOfPage(query);
    const data = languages
      .slice(offset, offset + limit)
      .map(({ name, code, variants }) => ({ name, code, variants: [...variants] }));
    return { status: 200, body: pageBody(query, languages.length, data) };
  },
});

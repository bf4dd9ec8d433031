import { z } from 'zod';
import type { Client } from '../client.js';
import { wrongUsage } from '../exit-codes.js';
import { printable } from '../printable.js';
import { refused } from '../refusal.js';

const Event = z.looseObject({
  post: z.looseObject({
    requestBody: z.looseObject({
      content: z.looseObject({ 'application/json': z.looseObject({ example: z.unknown() }) }),
    }),
  }),
});
const Document = z.looseObject({ webhooks: z.record(z.string(), Event) });

/**
 * An example of each of these events, from the service's own document, so that they are those of its version.
 *
 * @throws CommandFailed if there is no such event; it names those that there are
 */
export async function examplesOf(client: Client, events: readonly string[]): Promise<unknown[]> {
  const answer = await client.send('GET', '/openapi.json');
  if (!answer.ok) throw await refused(answer, client.connection.url);
  const { webhooks } = Document.parse(await answer.json());
  return events.map((event) => {
    const found = Object.hasOwn(webhooks, event) ? webhooks[event] : undefined;
    if (found !== undefined) return found.post.requestBody.content['application/json'].example;
    throw wrongUsage(`There is no event ${event}. There are: ${Object.keys(webhooks).map(printable).join(', ')}.`);
  });
}

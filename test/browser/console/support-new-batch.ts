import type { Page } from 'playwright-core';
import { aRoute, type Route } from '../../api/batch-calls/support.js';
import { rowsOf } from '../../api/support-resources.js';

/** A number whose agent greets by name: what a dry run can fill in. */
export async function aGreetingRoute(greeting = 'Hello {{first_name}}, this is {{company}}.'): Promise<Route> {
  const route = await aRoute();
  const config = { name: 'Reminder', languages: { english: { prompt: 'Be kind.', greeting: { text: greeting } } } };
  await rowsOf(
    `with version as (
       insert into agent_versions (id, account_id, agent_id, number, name, config)
       select 'ver_' || id, account_id, id, 1, 'first', $2 from agents where id = $1 returning id, account_id, agent_id)
     insert into deployments (id, account_id, agent_id, version_id, region, status)
     select 'dep_' || agent_id, account_id, agent_id, id, 'default', 'live' from version`,
    [route.agentId, JSON.stringify(config)],
  );
  await rowsOf(
    `update agents set name = 'Reminder', deployment_id = 'dep_' || id, latest_version_id = 'ver_' || id where id = $1`,
    [route.agentId],
  );
  await rowsOf(`update routing_rules set agent_metadata = '{"company":"Acme"}' where id = $1`, [route.ruleId]);
  return route;
}

/** Gives the page a file, as the dialog of the operating system does. */
export const chooseFile = (page: Page, text: string, name = 'march.csv'): Promise<void> =>
  page.locator('input[type=file]').setInputFiles({ name, mimeType: 'text/csv', buffer: Buffer.from(text) });

import { z } from 'zod';
import type { Api } from '../../../cli/demo/api-client.js';

const Gateways = z.looseObject({ data: z.array(z.looseObject({ id: z.string() })) });
const Numbers = z.looseObject({
  data: z.array(z.looseObject({ phoneNumber: z.looseObject({ phoneNumberId: z.string() }) })),
});
const Agents = z.looseObject({ data: z.array(z.looseObject({ agentId: z.string() })) });
const Agent = z.looseObject({ config: z.looseObject({ languages: z.record(z.string(), z.looseObject({})) }) });
const Campaign = z.looseObject({ campaignId: z.string() });
const Anything = z.looseObject({});

/** Pictures of the pages of what calls go by: trunks, numbers, rules, agents, and the account. */
export async function takeSetUp(api: Api, take: (name: string, path: string) => Promise<void>): Promise<void> {
  const gateway = (await api.get('/v2/sip/outbound-gateways', Gateways)).data[0]?.id ?? '';
  const number = (await api.get('/v2/sip/phone-numbers', Numbers)).data[0]?.phoneNumber.phoneNumberId ?? '';
  const rule = (await api.get('/v2/sip/routing-rule', Gateways)).data[0]?.id ?? '';
  const agent = (await api.get('/v1/agents', Agents)).data[0]?.agentId ?? '';
  const { config } = await api.get(`/v1/agents/${agent}`, Agent);
  const english = { ...config.languages.english, prompt: 'Remind the callee of the appointment.\nBe kind.\nBe brief.' };
  const versionName = 'Kinder words';
  await api.put(
    `/v1/agents/${agent}`,
    { ...config, versionName, languages: { ...config.languages, english } },
    Anything,
  );
  const events = ['call-answered', 'call-hangup', 'call-missed'];
  await api.post('/v2/sip/webhooks', { url: 'https://example.com/calls', events }, Anything);
  await api.post(
    '/v1/knowledge-bases',
    { name: 'Returns', text: 'Orders can be returned within thirty days.' },
    Anything,
  );
  const description = 'Finds the appointments of a day. Ask for the day first.';
  await api.post(
    '/v1/tools',
    { name: 'find_appointment', description, url: 'https://example.com/appointments' },
    Anything,
  );
  const { campaignId } = await api.post(
    '/v1/campaigns',
    {
      ...{ name: 'Reminders of each morning', cron: '0 9 * * 1-5', timezone: 'America/New_York' },
      template: {
        ...{ phoneNumberId: number, maxConcurrentCalls: 10, stopAfter: { answered: 400 } },
        retry: { retryDelays: [300, 3_600], retryOn: ['rejected', 'missed'] },
      },
    },
    Campaign,
  );
  await take('campaigns', '/campaigns');
  await take('campaign', `/campaigns/${campaignId}`);
  await take('campaign-settings', `/campaigns/${campaignId}?view=settings`);
  await take('new-campaign', '/campaigns/new');
  await take('gateways', '/gateways');
  await take('gateway', `/gateways/${gateway}`);
  await take('numbers', '/numbers');
  await take('number', `/numbers/${number}`);
  await take('rules', '/rules');
  await take('rule', `/rules/${rule}`);
  await take('agents', '/agents');
  await take('agent', `/agents/${agent}`);
  await take('agent-versions', `/agents/${agent}?view=versions`);
  await take('knowledge', '/knowledge');
  await take('tools', '/tools');
  await take('new-tool', '/tools/new');
  await take('webhooks', '/webhooks');
  await take('keys', '/keys');
  await take('usage', '/usage');
  await take('audit-log', '/audit-log');
  await take('prices', '/prices');
  await take('defaults', '/defaults');
}

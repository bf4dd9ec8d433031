import { z } from 'zod';
import type { Api } from './api-client.js';

/** The resources that a batch needs: a number to call from and the rule that picks the agent. */
export interface Setting {
  readonly phoneNumber: string;
  readonly routingRuleId: string;
}

/** Reserved for films and examples by the North American numbering plan: no telephone has it. */
const caller = '+12025550100';
const name = 'Reminder calls (demo)';
/** The sample file's: an account's guardrails allow only the countries of its own numbers by themselves. */
const countries = ['GB', 'US'];

const Agent = z.looseObject({ agentId: z.string(), name: z.string(), status: z.string() });
const Rule = z.looseObject({ id: z.string(), name: z.string().nullish(), agentId: z.string().nullish() });
const Guardrails = z.looseObject({ countriesInForce: z.array(z.string()) });
const NumberItem = z.looseObject({ phoneNumber: z.looseObject({ e164: z.string() }), outbound: z.unknown() });

/** Makes agent, number with gateways, and outbound rule, or finds those of an earlier demo. */
export async function prepareSetting(api: Api): Promise<Setting> {
  const agentId = await findOrMakeAgent(api);
  const numbers = await api.list(`/v2/sip/phone-numbers?search=${encodeURIComponent(caller)}`, NumberItem, 100);
  if (!numbers.some((item) => item.phoneNumber.e164 === caller)) {
    await api.post(
      '/v2/sip/phone-numbers',
      { name: 'Demo line', phoneNumbers: [caller], outbound: { address: 'sip.carrier.example', transport: 'tls' } },
      z.looseObject({ message: z.string() }),
    );
  }
  await allowCountries(api);
  const rules = await api.list(`/v2/sip/routing-rule?type=outbound&search=${encodeURIComponent(caller)}`, Rule, 100);
  const rule =
    rules.find((each) => each.name === name && each.agentId === agentId) ??
    (await api.post('/v2/sip/routing-rule', { name, type: 'outbound', phoneNumbers: [caller], agentId }, Rule));
  return { phoneNumber: caller, routingRuleId: rule.id };
}

async function allowCountries(api: Api): Promise<void> {
  const url = '/v1/account/guardrails';
  const guardrails = await api.get(url, Guardrails);
  const { countriesInForce: allowed } = guardrails;
  if (countries.every((country) => allowed.includes(country))) return;
  await api.put(url, { ...guardrails, allowedCountries: [...allowed, ...countries] }, Guardrails);
}

async function findOrMakeAgent(api: Api): Promise<string> {
  const agents = await api.list(`/v1/agents?status=active&search=${encodeURIComponent(name)}`, Agent, 100);
  const found = agents.find((agent) => agent.name === name);
  if (found !== undefined) return found.agentId;
  const made = await api.post(
    '/v1/agents',
    {
      name,
      languages: {
        english: {
          prompt:
            'You call {{name}} for a dental practice to remind them of the appointment on {{appointment}}. Be brief and ' +
            'friendly. Ask whether they will come, and offer to move the appointment if they will not.',
          greeting: {
            text: 'Hello {{name}}, this is the dental practice, about your appointment.',
            interruptible: true,
          },
        },
      },
    },
    Agent,
  );
  if (made.status !== 'active')
    throw new Error(`The demo's agent ${made.agentId} was not deployed: it is ${made.status}.`);
  return made.agentId;
}

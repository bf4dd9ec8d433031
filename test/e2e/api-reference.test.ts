import { execFile } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { temporaryFolder } from '../../embedded/temporary-folder.js';
import { documented } from './documented-commands.js';
import { batchIs, csv, runService, until, webhookReceiver, type RunningService } from './running-service.js';

const minutes = 60_000;

type Ids = Readonly<Record<string, unknown>>;

interface Step {
  readonly heading: string;
  /** Runs before: makes what the command needs beyond the commands before it. @returns ids to set */
  readonly before?: () => Promise<Ids>;
  /** Ids in the answer that later commands use. */
  readonly ids?: (body: Ids) => Ids;
  /** If the service of this test cannot do it, because it has no LiveKit and no key of a model: the answer instead. */
  readonly refused?: { readonly status: number; readonly because: RegExp };
}

const step = (heading: string, rest: Omit<Step, 'heading'> = {}): Step => ({ heading, ...rest });
const first = (body: Ids): Ids => (body.data as Ids[])[0] ?? {};

let service: RunningService;
let folder: string;
/** Those of the commands so far. */
let ids: Ids = {};

beforeAll(async () => {
  // In real time, so that a call goes on for as long as the commands about it need.
  service = await runService({ speed: 1 });
  folder = temporaryFolder('reference');
  // What curl does beyond the command: it says the status, in a line of its own.
  writeFileSync(join(folder, '.curlrc'), 'silent\nshow-error\nwrite-out = "\\n%{http_code}"\n');
}, 5 * minutes);
afterAll(async () => {
  await service.stop();
  service.removeData();
  rmSync(folder, { recursive: true });
}, 4 * minutes);

function run(command: string): Promise<{ status: number; text: string; stderr: string }> {
  const { apiUrl: API, token: TOKEN } = service.ready();
  const env = { PATH: process.env.PATH, CURL_HOME: folder, API, TOKEN, ...(ids as Record<string, string>) };
  return new Promise((resolve) => {
    execFile('/bin/sh', ['-e', '-u', '-c', command], { cwd: folder, env }, (_error, stdout, stderr) => {
      const end = stdout.lastIndexOf('\n');
      resolve({ status: Number(stdout.slice(end + 1)), text: stdout.slice(0, end), stderr });
    });
  });
}

/** The body of an error; curl writes a recording into the file that the command names. */
const bodyOf = (text: string): string => (text === '' ? readFileSync(join(folder, 'recording.ogg'), 'utf8') : text);

/** A batch of one number that is missed at once, with its webhook delivered. */
async function aFinishedBatch(): Promise<Ids> {
  const receiver = await webhookReceiver(service);
  try {
    const webhook = { endpoint: receiver.url, events: ['batchcall-completed'] };
    const file = { name: 'contacts.csv', content: csv(['+14155550184']) };
    const { body } = await service.createBatch(file, { name: 'Missed', phoneNumber: '+14155550100', webhook });
    await batchIs(service, body.batchId, 'completed');
    const deliveries = `/v1/batch-calls/${String(body.batchId)}/webhook-deliveries`;
    let delivery: Ids = {};
    await until(async () => {
      delivery = first((await service.request('GET', deliveries)).body);
      return delivery.status === 'delivered';
    });
    return { batchId: body.batchId, deliveryId: delivery.deliveryId };
  } finally {
    receiver.close();
  }
}

/** One that waits for recipients, so that nothing ends it before it is asked to. */
async function anOpenBatch(): Promise<Ids> {
  const file = { name: 'contacts.csv', content: csv(['+14155550123']) };
  const { body } = await service.createBatch(file, { name: 'Open', phoneNumber: '+14155550100', open: 'true' });
  return { batchId: body.batchId };
}

/** Paused, its recipient waits. */
const itsRecord = async (): Promise<Ids> => ({
  recordId: first((await service.request('GET', `${batches}/${String(ids.batchId)}/records`)).body).recordId,
});

const callIs = (id: unknown, status: string): Promise<void> =>
  until(async () => {
    const { body } = await service.request('GET', `${calls}/${String(id)}`);
    return (body.data as Ids).status === status;
  });

/** Waits until no batch call has one of these statuses. @throws with what each of them waits for, if that takes too long for a test */
async function noBatchIs(...statuses: readonly string[]): Promise<Ids> {
  let left: Ids[] = [];
  const path = `${batches}?status=${statuses.join()}`;
  await until(
    async () => {
      left = (await service.request('GET', path)).body.data as Ids[];
      return left.length === 0;
    },
    { seen: () => JSON.stringify(left), withinMs: 1.5 * minutes },
  );
  return {};
}

async function anAnsweredCall(): Promise<Ids> {
  // This number answers within 10 seconds and talks for 52.
  const { body } = await service.request('POST', calls, { sipCallTo: '+14155550140', sipCallFrom: '+14155550100' });
  const callId = (body.data as Ids).id;
  await callIs(callId, 'answered');
  return { callId };
}

const agents = '/v1/agents';
const agent = `${agents}/{agentId}`;
const bases = '/v1/knowledge-bases';
const base = `${bases}/{knowledgeBaseId}`;
const folders = '/v1/knowledge-base-folders';
const numbers = '/v2/sip/phone-numbers';
const rules = '/v2/sip/routing-rule';
const calls = '/v2/sip/call';
const webhooks = '/v2/sip/webhooks';
const batches = '/v1/batch-calls';
const batch = `${batches}/{batchId}`;
const campaigns = '/v1/campaigns';
const campaign = `${campaigns}/{campaignId}`;
const account = '/v1/account';

/** Every operation once, in an order in which each finds what it needs. */
const steps: readonly Step[] = [
  step(`GET ${account}`),
  step('GET /v1/overview'),
  step('GET /v1/stats'),
  step('GET /v1/stats/timeline'),
  step('GET /v1/models'),
  step('GET /v1/languages'),
  step(`POST ${agents}`, { ids: ({ agentId, versionId, deploymentId }) => ({ agentId, versionId, deploymentId }) }),
  step(`GET ${agents}`),
  step(`GET ${agent}`),
  step(`PUT ${agent}`),
  step(`GET ${agent}/versions`, { ids: (body) => ({ versionId: first(body).versionId }) }),
  step(`GET ${agent}/versions/{versionId}`),
  step(`POST ${agent}/deploy`, { ids: ({ deploymentId }) => ({ deploymentId }) }),
  step(`GET ${agent}/deployments`),
  step(`GET ${agent}/deployments/{deploymentId}`),
  step(`POST ${agent}/playground-sessions`),
  step(`POST ${agent}/playground-messages`, { refused: { status: 409, because: /key/i } }),

  step('POST /v1/tools', { ids: ({ toolId }) => ({ toolId }) }),
  step('GET /v1/tools'),
  step('GET /v1/tools/{toolId}'),
  step('PATCH /v1/tools/{toolId}'),
  step('DELETE /v1/tools/{toolId}'),

  step(`POST ${folders}`, {
    before: async () => ({ folderId: (await service.request('POST', folders, { name: 'Policies' })).body.folderId }),
    ids: ({ folderId }) => ({ folderId }),
  }),
  step(`GET ${folders}`),
  step(`GET ${folders}/{folderId}`),
  step(`PATCH ${folders}/{folderId}`),
  step(`DELETE ${folders}/{folderId}`),
  step(`POST ${bases}`, { ids: ({ knowledgeBaseId }) => ({ knowledgeBaseId }) }),
  step(`GET ${bases}`),
  step(`GET ${base}`),
  step(`PATCH ${base}`),
  step(`GET ${base}/content`, {
    before: async () => {
      const { body } = await service.request('GET', bases);
      const { knowledgeBaseId } = first(body);
      await until(
        async () => (await service.request('GET', `${bases}/${String(knowledgeBaseId)}`)).body.status === 'ready',
      );
      return {};
    },
  }),
  step(`POST ${base}/query`),
  step(`DELETE ${base}`),

  step(`POST ${numbers}`, {
    ids: (body) => {
      const { phoneNumber, outbound } = first(body) as Record<string, Ids>;
      return { phoneNumberId: phoneNumber?.phoneNumberId, gatewayId: outbound?.id };
    },
  }),
  step(`GET ${numbers}`),
  step(`GET ${numbers}/{phoneNumberId}`),
  step(`PATCH ${numbers}/{phoneNumberId}`),
  step(`PATCH ${numbers}/gateways/{gatewayId}`),
  step(`POST ${numbers}/gateways/{gatewayId}/check`),
  step(`POST ${numbers}/detach`),
  step(`POST ${numbers}/{phoneNumberId}/release`),

  step('POST /v2/sip/inbound-gateways', { ids: ({ id }) => ({ inboundGatewayId: id }) }),
  step('GET /v2/sip/inbound-gateways'),
  step('GET /v2/sip/inbound-gateways/{inboundGatewayId}'),
  step('PATCH /v2/sip/inbound-gateways/{inboundGatewayId}'),
  step('POST /v2/sip/outbound-gateways', { ids: ({ id }) => ({ outboundGatewayId: id }) }),
  step('GET /v2/sip/outbound-gateways'),
  step('GET /v2/sip/outbound-gateways/{outboundGatewayId}'),
  step('PATCH /v2/sip/outbound-gateways/{outboundGatewayId}'),

  step(`POST ${rules}`, { ids: ({ id }) => ({ ruleId: id }) }),
  step(`GET ${rules}`),
  step(`GET ${rules}/{ruleId}`),
  step(`PATCH ${rules}/{ruleId}`),

  step(`POST ${webhooks}`, { ids: ({ id }) => ({ webhookId: id }) }),
  step(`GET ${webhooks}`),
  step(`GET ${webhooks}/{webhookId}`),
  step(`PATCH ${webhooks}/{webhookId}`),
  step(`DELETE ${webhooks}/{webhookId}`),

  step(`POST ${calls}`, { ids: ({ data }) => ({ callId: (data as { id: string }).id }) }),
  step(`GET ${calls}`),
  step(`GET ${calls}/{callId}`),
  step(`POST ${calls}/end`),
  step(`POST ${calls}/transfer`, { before: anAnsweredCall }),
  ...['listen', 'whisper'].map((what) =>
    step(`POST /v1/calls/{callId}/${what}`, { refused: { status: 409, because: /simulated/ } }),
  ),
  step(`GET ${calls}/{callId}/recording`, {
    before: async () => {
      await callIs(ids.callId, 'ended');
      return {};
    },
    refused: { status: 404, because: /No recording is stored/ },
  }),

  step(`POST ${batches}/validate`),
  step(`POST ${batches}`, { ids: ({ batchId }) => ({ batchId }) }),
  step(`GET ${batches}`),
  step(`POST ${batch}/recipients`, { before: anOpenBatch }),
  step(`GET ${batch}`),
  step(`PATCH ${batch}`),
  step(`POST ${batch}/pause`),
  step(`PATCH ${batch}/records/{recordId}`, { before: itsRecord }),
  step(`POST ${batch}/records/{recordId}/skip`, { before: itsRecord }),
  step(`POST ${batch}/resume`),
  ...['stats', 'timeline', 'records', 'records/export', 'rejected-rows', 'corrected-rows', 'webhook-deliveries'].map(
    (part) => step(`GET ${batch}/${part}`),
  ),
  step(`POST ${batch}/cancel`),
  step(`POST ${batch}/close`, { before: anOpenBatch }),
  step(`POST ${batch}/webhook-deliveries/{deliveryId}/redeliver`, { before: aFinishedBatch }),
  ...['call-again', 'callback'].map((again) =>
    step(`POST ${batch}/records/{recordId}/${again}`, {
      before: itsRecord,
      refused: { status: 409, because: /running/ },
    }),
  ),
  step(`POST ${batch}/retry`, { ids: ({ batchId }) => ({ batchId }) }),
  step(`DELETE ${batch}`, {
    before: async () => {
      const [latest] = (await service.request('GET', batches)).body.data as { batchId: string }[];
      await batchIs(service, latest?.batchId, 'completed');
      return {};
    },
  }),

  step(`POST ${campaigns}`, { ids: ({ campaignId }) => ({ campaignId }) }),
  step(`GET ${campaigns}`),
  step(`GET ${campaign}`),
  step(`PATCH ${campaign}`),
  step(`POST ${campaign}/pause`),
  step(`POST ${campaign}/resume`),
  step(`POST ${campaign}/run`),
  step(`GET ${campaign}/runs`),
  step(`POST ${campaign}/recipients`),
  step(`DELETE ${campaign}`),

  step('GET /v1/contacts/{e164}', { before: () => Promise.resolve({ e164: '+14155550123' }) }),
  // Nobody can be erased while a file is being read that may contain the person.
  step('DELETE /v1/contacts/{e164}', { before: () => noBatchIs('parsing') }),
  step('POST /v1/do-not-call'),
  step('GET /v1/do-not-call'),
  step('DELETE /v1/do-not-call/{e164}'),

  step(`DELETE ${rules}/{ruleId}`, {
    before: async () => {
      // What is not over holds the rule, the gateways and the agent.
      await service.request('POST', `${account}/stop-dialing`, { hangUp: true });
      await noBatchIs('parsing');
      // At night in America the run of a campaign waits for its window.
      const path = `${batches}?status=scheduled,running`;
      for (const { batchId } of (await service.request('GET', path)).body.data as Ids[]) {
        await service.request('POST', `${batches}/${String(batchId)}/cancel`);
      }
      await noBatchIs('scheduled', 'parsing', 'running', 'cancelling');
      await until(async () => {
        const { usage } = (await service.request('GET', account)).body as { usage: Record<string, number> };
        return usage.liveCalls === 0 && usage.unfinishedBatches === 0;
      });
      return {};
    },
  }),
  step('DELETE /v2/sip/inbound-gateways/{inboundGatewayId}'),
  step('DELETE /v2/sip/outbound-gateways/{outboundGatewayId}'),
  step(`POST ${agent}/undeploy`),
  step(`DELETE ${agent}`),

  step(`GET ${account}/webhook-secret`),
  step(`POST ${account}/webhook-secret/rotate`),
  step(`GET ${account}/audit-log`),
  step(`GET ${account}/defaults`),
  step(`PUT ${account}/defaults`),
  step(`GET ${account}/prices`),
  step(`PUT ${account}/prices`),
  step(`GET ${account}/guardrails`),
  step(`PUT ${account}/guardrails`),
  step(`GET ${account}/webhook-deliveries`),
  step(`POST ${account}/stop-dialing`),
  step(`POST ${account}/resume-dialing`),
  step(`POST ${account}/keys`, { ids: ({ keyId, token }) => ({ keyId, tokenToRevoke: token }) }),
  step(`GET ${account}/keys`),
  step(`POST ${account}/tokens/revoke`),
  step(`DELETE ${account}/keys/{keyId}`),
];

test('every command of docs/api.md is run below', () => {
  expect(steps.map(({ heading }) => heading).sort()).toEqual([...documented.keys()].sort());
});

test.each(steps)(
  'the command of $heading runs as it stands, and is answered with the status that docs/api.md promises',
  async ({ heading, before, ids: idsOf, refused }) => {
    ids = { ...ids, ...(await before?.()) };
    const { command, status } = documented.get(heading)!;
    const answer = await run(command);
    expect(answer).toEqual({ text: answer.text, status: refused?.status ?? status, stderr: '' });
    if (refused) expect(bodyOf(answer.text)).toMatch(refused.because);
    if (idsOf) ids = { ...ids, ...idsOf(JSON.parse(answer.text) as Ids) };
  },
  2 * minutes,
);

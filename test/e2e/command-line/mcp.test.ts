import { rmSync } from 'node:fs';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { batchIs, numbersWithScript, setUp } from '../running-service.js';
import { sharedService, type SharedService } from '../shared-service.js';
import { program, type User, userBeside } from './support.js';

let service: SharedService;
let user: User;
let open: Client[] = [];
const from = '+15550100004';
/** A busy machine may need longer than the minute that clients wait by themselves. */
const patient = { timeout: 300_000 };
const [answers = '', another = ''] = numbersWithScript(0, 2, 1_500);

beforeAll(async () => {
  service = await sharedService('Assistants');
  user = userBeside(service);
  await setUp(service, from);
});

afterEach(async () => {
  for (const client of open) await client.close();
  open = [];
});

afterAll(() => {
  rmSync(user.folder, { recursive: true, force: true });
});

/** A client as an assistant has it, with `outdial mcp` as its process. */
async function connected(...flags: string[]): Promise<Client> {
  const client = new Client({ name: 'test', version: '1' });
  const home = { XDG_STATE_HOME: service.stateFolder, XDG_CONFIG_HOME: user.folder, OUTDIAL_DATA: '' };
  const env = { ...process.env, ...home, ...service.settings };
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: [program, 'mcp', ...flags],
      env,
      cwd: user.folder,
    }),
    patient,
  );
  open.push(client);
  return client;
}

async function call(client: Client, name: string, args: object = {}): Promise<{ text: string; isError: boolean }> {
  const { content, isError } = await client.callTool({ name, arguments: { ...args } }, undefined, patient);
  const [first] = content as { text: string }[];
  return { text: first?.text ?? '', isError: isError === true };
}

const invites = (): number =>
  service.ledger().filter(({ event, from: caller }) => event === 'invite' && caller === from).length;

test('by itself it only reads: nothing else is listed, and nothing else can be called', async () => {
  const client = await connected();
  const { tools } = await client.listTools(undefined, patient);
  expect(tools.filter(({ annotations }) => annotations?.readOnlyHint !== true)).toEqual([]);
  expect(tools.map(({ name }) => name)).toEqual(expect.arrayContaining(['batchCalls_list', 'batchCalls_validate']));
  expect(JSON.parse((await call(client, 'phoneNumbers_list')).text)).toMatchObject({ pageInfo: { total: 1 } });
  const refused = await call(client, 'account_stopDialing', { body: {} });
  expect(refused).toEqual({ isError: true, text: expect.stringContaining('--allow-changes') });
  expect((await call(client, 'calls_create', { body: {} })).text).toContain('--allow-dialing');
  const secret = await call(client, 'webhookSecret_get');
  expect(secret).toEqual({ isError: true, text: expect.stringContaining('no tool') });
});

test('with --allow-changes it changes what makes no telephone ring, and each such tool says that it is destructive', async () => {
  const client = await connected('--allow-changes');
  const { tools } = await client.listTools(undefined, patient);
  const changing = tools.filter(({ annotations }) => annotations?.readOnlyHint !== true);
  expect(changing.filter(({ annotations }) => annotations?.destructiveHint !== true)).toEqual([]);
  expect(changing.map(({ name }) => name)).not.toContain('calls_create');
  const body = { name: 'By an assistant', languages: { english: { prompt: 'Be kind.' } } };
  const made = await call(client, 'agents_create', { body });
  expect(made).toEqual({ isError: false, text: expect.stringContaining('agt_') });
  expect(made.text).not.toContain('playgroundUrl');
  const wrong = await call(client, 'agents_create', { body: { name: '' } });
  expect(wrong).toEqual({ isError: true, text: expect.stringMatching(/languages is missing[^]*name is empty/) });
  expect(await call(client, 'agents_get')).toEqual({
    isError: true,
    text: 'agentId: is required.',
  });
});

test('nobody is called before the dry run was confirmed, and a confirmation that is sent twice calls once', async () => {
  const client = await connected('--allow-dialing');
  const before = invites();
  const args = { body: { name: 'Batch', phoneNumber: from, recipients: [{ phoneNumber: answers }] } };
  const dry = await call(client, 'batchCalls_create', args);
  const { confirmation, dryRun } = JSON.parse(dry.text) as { confirmation: string; dryRun: object };
  expect(dryRun).toMatchObject({ valid: true, recordsUploaded: 1 });
  const made = await call(client, 'batchCalls_create', { ...args, confirmation: 'confirm-made-up' });
  expect(made.isError).toBe(true);
  const others = { body: { ...args.body, recipients: [{ phoneNumber: another }] }, confirmation };
  expect(await call(client, 'batchCalls_create', others)).toEqual({
    isError: true,
    text: expect.stringContaining('other arguments'),
  });
  expect((await service.request('GET', '/v1/batch-calls')).body).toMatchObject({ pageInfo: { total: 0 } });
  expect(invites()).toBe(before);

  const first = JSON.parse((await call(client, 'batchCalls_create', { ...args, confirmation })).text) as {
    batchId: string;
  };
  const again = JSON.parse((await call(client, 'batchCalls_create', { ...args, confirmation })).text) as {
    batchId: string;
  };
  expect(again.batchId).toBe(first.batchId);
  await batchIs(service, first.batchId, 'completed');
  expect(invites()).toBe(before + 1);
});

test('the dry run of a single call says what holds it back; one that could reach nobody gets no confirmation', async () => {
  const client = await connected('--allow-dialing');
  const body = { sipCallTo: answers, sipCallFrom: from };
  expect((await call(client, 'calls_create', { body })).text).toContain('"confirmation"');
  const wrong = await call(client, 'calls_create', { body: { ...body, sipCallTo: 'nobody' } });
  expect(wrong.isError).toBe(true);
  expect(wrong.text).not.toContain('"confirmation"');
});

test('metadata of a single call fills placeholders in its dry run as it does in the call', async () => {
  const client = await connected('--allow-dialing', '--allow-changes');
  const config = { name: 'Asks by name', languages: { english: { prompt: 'Call {{first_name}}.' } } };
  const { agentId } = JSON.parse((await call(client, 'agents_create', { body: config })).text) as { agentId: string };
  // On a busy machine its deployment may take longer than the answer waits for it.
  await expect
    .poll(async () => (JSON.parse((await call(client, 'agents_get', { agentId })).text) as { status: string }).status)
    .toBe('active');
  const number = '+15550100035';
  const line = { name: 'Named', phoneNumbers: [number], outbound: { address: 'sip.example.com' } };
  expect(await call(client, 'phoneNumbers_create', { body: line })).toMatchObject({ isError: false });
  const rule = { name: 'Named', type: 'outbound', phoneNumbers: [number], agentId };
  expect(await call(client, 'routingRules_create', { body: rule })).toMatchObject({ isError: false });
  const body = { sipCallTo: answers, sipCallFrom: number };
  const unfilled = async (args: object) =>
    (JSON.parse((await call(client, 'calls_create', { body: args })).text) as { dryRun: Record<string, unknown[]> })
      .dryRun.unfilledPlaceholders;
  expect(await unfilled(body)).toHaveLength(1);
  expect(await unfilled({ ...body, metadata: { first_name: 'Asha' } })).toEqual([]);
});

test('a dry run of what is missing, misspelled or not there gets no confirmation; of what is there, it says what that is', async () => {
  const client = await connected('--allow-dialing', '--allow-changes');
  const refusals: [name: string, args: object, words: string][] = [
    ['batchCalls_resume', {}, 'batchId: is required.'],
    ['batchCalls_resume', { batchId: 'batch_1', when: 'now' }, 'when: batchCalls_resume takes batchId, body.'],
    ['batchCalls_resume', { batchId: '..' }, 'batchId: ".." is no id.'],
    ['campaigns_run', { campaignId: 'cmp_none' }, 'Campaign not found'],
    ['outboundGateways_update', { outboundGatewayId: 'gwo_none', body: {} }, 'Outbound gateway not found'],
  ];
  for (const [name, args, words] of refusals) {
    expect(await call(client, name, args), name).toEqual({ isError: true, text: words });
  }
  const gateways = JSON.parse((await call(client, 'outboundGateways_list', { perPage: null, search: '' })).text) as {
    data: [{ id: string }];
  };
  const { id } = gateways.data[0];
  const dry = await call(client, 'outboundGateways_update', { outboundGatewayId: id, body: { name: 'Other' } });
  expect(JSON.parse(dry.text)).toMatchObject({
    dryRun: { would: 'Change an outbound gateway', of: { id } },
    confirmation: expect.any(String),
  });
});

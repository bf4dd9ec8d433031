import { MockActivityEnvironment } from '@temporalio/testing';
import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { parseBatch } from '../../../activities/parse-batch.js';
import { agentUses } from '../../../db/queries/agents/delete.js';
import { anAccount, api, here, settings } from '../support.js';
import { anAgent, rowsOf } from '../support-resources.js';
import { aRoute } from './support.js';

settings.OUTDIAL_PROVIDER = 'simulator';

const number = (index: number) => `+1415556${String(1_000 + index)}`;
const people = (count: number, from = 0) =>
  Array.from({ length: count }, (_, index) => ({ phoneNumber: number(from + index), id: `crm-${from + index}` }));

async function parsed(batchId: string): Promise<void> {
  const { database, me } = here();
  await new MockActivityEnvironment().run(() =>
    parseBatch({ database, kickOutbox: () => undefined }, { accountId: me.account.id, batchId }),
  );
}

const post = async (body: object, path = '') => {
  const { phoneNumber } = await aRoute();
  return api.post(`/v1/batch-calls${path}`, { name: 'Two agents', phoneNumber, recipients: people(60), ...body });
};

async function aBatchOfTwo(weights = [50, 50]) {
  const [one, two] = [await anAgent(), await anAgent()];
  const variants = [
    { agentId: one, weight: weights[0] },
    { agentId: two, weight: weights[1] },
  ];
  const response = await post({ variants });
  if (response.status !== 201) throw new Error(response.text);
  const { batchId } = response.body as { batchId: string };
  await parsed(batchId);
  return { batchId, one, two, variants, url: `/v1/batch-calls/${batchId}` };
}

const drawnOf = (batchId: string) =>
  rowsOf<{ id: string; variant: string; agent: string }>(
    `select recipient_id as id, variant, agent_id as agent from calls where batch_id = $1 order by position`,
    [batchId],
  );

describe('recipients of a batch with variants', () => {
  // shows: batch.create.variants
  test('each gets one agent, shown in record, call and export, and the same if the file is read again', async () => {
    const { batchId, one, two, variants, url } = await aBatchOfTwo();
    expect((await api.get(url)).body).toMatchObject({ variants });
    const drawn = await drawnOf(batchId);
    expect(new Set(drawn.map(({ variant }) => variant))).toEqual(new Set([one, two]));
    for (const { variant, agent } of drawn) expect(agent).toBe(variant);

    const page = (await api.get(`${url}/records?perPage=100`)).body as {
      data: { id: string; variant: string; callId: string }[];
      pageInfo: { total: number };
    };
    const { data } = page;
    expect(data.map(({ id, variant }) => [id, variant])).toEqual(drawn.map(({ id, variant }) => [id, variant]));
    const ofOne = (await api.get(`${url}/records?perPage=100&variant=${one}`)).body as typeof page;
    expect(ofOne.data).toEqual(data.filter(({ variant }) => variant === one));
    expect(ofOne.pageInfo.total).toBe(ofOne.data.length);
    const call = (await api.get(`/v2/sip/call/${data[0]!.callId}`)).body as { data: object };
    expect(call.data).toMatchObject({ variant: drawn[0]!.variant, agentId: drawn[0]!.variant });
    const [head = '', first = ''] = (await api.get(`${url}/records/export`)).text.split('\r\n');
    expect(head).toContain('"variant"');
    expect(first).toContain(drawn[0]!.variant);

    await rowsOf('delete from calls where batch_id = $1', [batchId]);
    await rowsOf(`update batches set status = 'parsing', started_at = null, records_uploaded = 0 where id = $1`, [
      batchId,
    ]);
    await parsed(batchId);
    expect(await drawnOf(batchId)).toEqual(drawn);
  });

  // shows: batch.variants.weights
  test('weights that are changed hold for recipients that are added; nobody is drawn again', async () => {
    const { batchId, one, two, url } = await aBatchOfTwo();
    const before = await drawnOf(batchId);
    const changed = [
      { agentId: one, weight: 0 },
      { agentId: two, weight: 1 },
    ];
    const response = await api.patch(url, { variants: changed });
    expect(response.status).toBe(200);
    expect(response.body).toMatchObject({ variants: changed });
    expect((await api.post(`${url}/recipients`, { recipients: people(20, 60) })).status).toBe(200);
    const after = await drawnOf(batchId);
    expect(after.slice(0, 60)).toEqual(before);
    expect(new Set(after.slice(60).map(({ variant, agent }) => `${variant} ${agent}`))).toEqual(
      new Set([`${two} ${two}`]),
    );
  });

  test('a retry has the variants, and each recipient keeps its own', async () => {
    const { batchId, url } = await aBatchOfTwo();
    const before = await drawnOf(batchId);
    await rowsOf(`update calls set status = 'missed', attempts_made = 1, ended_at = now() where batch_id = $1`, [
      batchId,
    ]);
    await rowsOf(`update batches set status = 'completed', completed_at = now() where id = $1`, [batchId]);
    const { status, body, text } = await api.post(`${url}/retry`, {});
    expect([status, text]).toEqual([201, expect.any(String)]);
    const { batchId: again } = body as { batchId: string };
    await parsed(again);
    expect(await drawnOf(again)).toEqual(before);
  });

  test('a batch without variants has none, and cannot get any', async () => {
    const response = await post({});
    const { batchId } = response.body as { batchId: string };
    await parsed(batchId);
    expect(await rowsOf('select distinct variant from calls where batch_id = $1', [batchId])).toEqual([
      { variant: null },
    ]);
    const refused = await api.patch(`/v1/batch-calls/${batchId}`, {
      variants: [
        { agentId: await anAgent(), weight: 1 },
        { agentId: await anAgent(), weight: 1 },
      ],
    });
    expect(refused.status).toBe(400);
    expect(refused.text).toContain('this one has none');
  });

  test('an agent that is a variant of an unfinished batch is known to be in use', async () => {
    const { batchId, two } = await aBatchOfTwo();
    const { batches } = await agentUses(here().database.db, here().me.account.id, two);
    expect(batches).toEqual([batchId]);
  });
});

describe('refused by create and validate alike', () => {
  const cases: [string, (good: string) => Promise<object[]>, string][] = [
    [
      'an agent of nobody',
      async (good) => [
        { agentId: good, weight: 1 },
        { agentId: 'agt_none', weight: 1 },
      ],
      'variants[1].agentId: is no agent',
    ],
    [
      'an agent that is not active',
      async (good) => [
        { agentId: await anAgent({ status: 'inactive' }), weight: 1 },
        { agentId: good, weight: 1 },
      ],
      'variants[0].agentId: is an agent that is not active',
    ],
    [
      'a version of another agent',
      async (good) => {
        const [version] = await rowsOf<{ id: string }>('select id from agent_versions where agent_id = $1', [
          await anAgent(),
        ]);
        return [
          { agentId: good, versionId: version?.id, weight: 1 },
          { agentId: good, weight: 1 },
        ];
      },
      'variants[0].versionId: is no version of this agent',
    ],
    [
      'a version that was never live',
      async (good) => {
        await rowsOf(
          `insert into agent_versions (id, account_id, agent_id, number, name, config)
           select id || '-2', account_id, agent_id, 2, name, config from agent_versions where agent_id = $1`,
          [good],
        );
        const [version] = await rowsOf<{ id: string }>(
          'select id from agent_versions where agent_id = $1 and number = 2',
          [good],
        );
        return [
          { agentId: good, versionId: version?.id, weight: 1 },
          { agentId: good, weight: 1 },
        ];
      },
      'variants[0].versionId: has never been live',
    ],
    [
      'an agent of another account',
      async (good) => [
        { agentId: good, weight: 1 },
        { agentId: await anAgent({ accountId: (await anAccount()).account.id }), weight: 1 },
      ],
      'variants[1].agentId: is no agent',
    ],
    ['one alone', (good) => Promise.resolve([{ agentId: good, weight: 1 }]), 'variants: must name at least 2'],
  ];
  test.each(cases)('%s', async (_what, variantsOf, words) => {
    const variants = await variantsOf(await anAgent());
    for (const path of ['', '/validate']) {
      const response = await post({ variants }, path);
      expect(response.status).toBe(400);
      expect((response.body as { errors: string[] }).errors.join('\n')).toContain(words);
    }
  });

  test('a language that one of the agents does not speak', async () => {
    const [one, two] = [await anAgent(), await anAgent()];
    await sql`
      insert into agent_versions (id, account_id, agent_id, number, name, config)
      select id || '-2', account_id, agent_id, 2, name, jsonb_set(config::jsonb, '{languages,hindi}', '{"prompt": "Be kind."}')
      from agent_versions where agent_id = ${one}`.execute(here().database.db);
    await sql`update deployments set version_id = version_id || '-2' where agent_id = ${one}`.execute(
      here().database.db,
    );
    const variants = [one, two].map((agentId) => ({ agentId, weight: 1 }));
    const response = await post({ variants, recipients: [{ phoneNumber: number(0), language: 'hindi' }] });
    expect(response.status).toBe(400);
    expect(response.text).toContain('must be one of english');
  });
});

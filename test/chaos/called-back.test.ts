import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { pathToFileURL } from 'node:url';
import { v7 as uuid } from 'uuid';
import { beforeAll, expect, test } from 'vitest';
import { inboundCall, type SeenInRoom } from '../../db/queries/calls/inbound.js';
import { inboundAttributes } from '../../domain/call/inbound-line.js';
import { readInboundLeg } from '../../domain/call/inbound-call.js';
import { api, here, useApi } from '../api/support.js';
import { aNumber, aRegisteredNumber, aRule, anAgent, rowsOf } from '../api/support-resources.js';
import { built } from '../integration/simulator/carrier-process.js';
import { holdCommitsIn } from './held-commits.js';

useApi();
beforeAll(() => api.post('/v2/sip/webhooks', { url: 'https://example.com/calls', events: ['call-started'] }));

const program = `
  const [client, inbound, url, seen] = process.argv.slice(1);
  const { openDatabase } = await import(client);
  const { inboundCall } = await import(inbound);
  await inboundCall(openDatabase({ url, poolSize: 1, name: 'dies' }).db, JSON.parse(seen));
`;
const fileUrl = (path: string) => pathToFileURL(built(path)).href;

/** A process of its own that sees a call come in, as an agent worker does. */
function inAnotherProcess(seen: SeenInRoom): ChildProcess {
  const parameters = [
    fileUrl('db/client.js'),
    fileUrl('db/queries/calls/inbound.js'),
    databaseUrl(),
    JSON.stringify(seen),
  ];
  return spawn(process.execPath, ['--input-type=module', '-e', program, ...parameters], { stdio: 'inherit' });
}
async function kill(child: ChildProcess): Promise<void> {
  child.kill('SIGKILL');
  if (child.signalCode === null) await once(child, 'exit');
}

const databaseUrl = (): string => String(here().database.pool.options.connectionString);

/** Somebody who was called yesterday, by an agent that the rule of the number that they call back does not name. */
async function calledYesterday() {
  const { e164: number } = await aRegisteredNumber();
  const ruleId = await aRule({
    ...{ type: 'inbound', phoneNumbers: [number], agentId: await anAgent(), matchRecent: { days: 7 } },
  });
  const [caller, agentId, earlier] = [aNumber(), await anAgent(), uuid()];
  await rowsOf(
    `insert into calls (id, account_id, position, type, to_number, from_number, rule_id, gateway_id, agent_id, metadata, status,
       attempts_made, created_at)
     values ($1, $2, 0, 'outbound', $3, $4, 'rule_x', 'gwo_x', $5, '{"name":"Asha"}', 'not-answered', 1, now() - interval '1 day')`,
    [earlier, here().me.account.id, caller, number, agentId],
  );
  await rowsOf(
    `insert into call_attempts (call_id, number, account_id, gateway_id, to_number, phase, invite, due_at, dialed_at, ended_at,
       outcome, permanent, reported_at)
     select $1, 1, $2, 'gwo_x', $3, 'ended', 1, t, t, t, 'not-answered', true, t from (select now() - interval '1 day' as t) z`,
    [earlier, here().me.account.id, caller],
  );
  const sipCallId = `${uuid()}@carrier`;
  const seen: SeenInRoom = {
    leg: readInboundLeg({
      ...{ [inboundAttributes.rule]: ruleId, [inboundAttributes.number]: number },
      ...{ 'sip.callIDFull': sipCallId, 'sip.phoneNumber': caller, 'sip.callStatus': 'active' },
    })!,
    ...{ region: 'default', room: `inbound_${sipCallId}`, identity: `sip_${caller}` },
  };
  return { earlier, agentId, ruleId, seen };
}

test.each([
  ['before its commit, which is undone', 'undo'],
  ['and never hears that its commit holds', 'release'],
] as const)(
  'who calls back while the process that makes their call dies %s, has one call, and it is that of the agent who called',
  async (_when, then) => {
    const { earlier, agentId, ruleId, seen } = await calledYesterday();
    const commits = await holdCommitsIn(databaseUrl(), 'inbound_legs', 'true');
    const first = inAnotherProcess(seen);
    await commits.reached();
    // Two others see the same leg; they wait for what becomes of the commit.
    const others = [1, 2].map(() => inboundCall(here().database.db, seen));
    await expect
      .poll(() => rowsOf(`select 1 from pg_locks where locktype = 'transactionid' and not granted`))
      .not.toHaveLength(0);
    await kill(first);
    await commits[then]();
    const made = await Promise.all(others);

    const { body } = await api.get(`/v2/sip/call?ruleId=${ruleId}`);
    const { data } = body as { data: { id: string }[] };
    expect(data).toMatchObject([{ agentId, callbackOf: `call_${earlier}`, metadata: { name: 'Asha' } }]);
    const [{ id } = { id: '' }] = data;
    expect(made.map((call) => `call_${call?.callId}`)).toEqual([id, id]);
    expect((await api.get(`/v2/sip/call/call_${earlier}`)).body).toMatchObject({ data: { calledBackBy: id } });
    const told = await rowsOf<{ payload: string }>(
      'select payload from webhook_deliveries where call_id in (select id from calls where rule_id = $1)',
      [ruleId],
    );
    expect(told.map(({ payload }) => JSON.parse(payload) as object)).toMatchObject([
      { data: { callbackOf: `call_${earlier}` } },
    ]);
  },
);

import { describe, expect, test } from 'vitest';
import { api, here, useApi } from '../../test/api/support.js';
import { aNumber, rowsOf } from '../../test/api/support-resources.js';
import { aCallThatIs, type MadeCall } from '../../test/api/calls/support.js';
import { orderWarmTransfer, transferCall } from '../conversation/transfer.js';

useApi();

const desk = 'sip:desk@pbx.example.com';

interface Wished {
  readonly said: () => number;
  readonly problem: Promise<string | null>;
  readonly over: AbortController;
}

/** As the function of the model asks for it. */
function wish({ uuid }: MadeCall, to: string): Wished {
  const over = new AbortController();
  let said = 0;
  const announce = () => {
    said += 1;
    return Promise.resolve();
  };
  const accountId = here().me.account.id;
  const problem = transferCall(here().database.db, { accountId, callId: uuid, to }, announce, over.signal);
  return { said: () => said, problem, over };
}
const transfersOf = ({ uuid }: MadeCall) =>
  rowsOf<{ transfer_to: string; status: string }>('select transfer_to, status from call_transfers where call_id = $1', [
    uuid,
  ]);
const becomes = (call: MadeCall, status: string) =>
  rowsOf('update call_transfers set status = $2, ended_at = now() where call_id = $1', [call.uuid, status]);

describe('a transfer that the agent wants', () => {
  test('is said to the callee, ordered once, and over when the carrier has taken it', async () => {
    const call = await aCallThatIs('answered');
    const { said, problem } = wish(call, desk);
    await expect.poll(() => transfersOf(call)).toEqual([{ transfer_to: desk, status: 'requested' }]);
    await becomes(call, 'transferred');
    expect(await problem).toBeNull();
    expect(said()).toBe(1);
  });

  test('that the carrier refuses comes back as words for the callee, and may be tried again', async () => {
    const call = await aCallThatIs('answered');
    const { problem } = wish(call, desk);
    await expect.poll(() => transfersOf(call)).toHaveLength(1);
    await becomes(call, 'failed');
    expect(await problem).toContain('it was not answered there');
    const again = wish(call, desk);
    await expect.poll(() => transfersOf(call)).toHaveLength(2);
    again.over.abort();
    expect(await again.problem).toBeNull();
  });

  test.each([
    ['+19002345678', 'another country, premium rate', 'guardrails'],
    ['sip:+881612345678@pbx.example.com', 'a satellite telephone behind a SIP address', 'guardrails'],
  ])('never reaches %s: %s; nothing is promised to the callee', async (to, _what, words) => {
    const call = await aCallThatIs('answered');
    const { said, problem } = wish(call, to);
    expect(await problem).toMatch(new RegExp(`not transferred: .*${words}.*cannot put them through`));
    expect(said()).toBe(0);
    expect(await transfersOf(call)).toEqual([]);
  });

  test('nor a number on the do-not-call list', async () => {
    const call = await aCallThatIs('answered');
    const listed = aNumber();
    await rowsOf('insert into do_not_call (account_id, e164) values ($1, $2)', [here().me.account.id, listed]);
    expect(await wish(call, listed).problem).toContain('do-not-call list');
    expect(await transfersOf(call)).toEqual([]);
  });

  test('nor whom the agent speaks with, in any spelling: nothing is promised to the callee', async () => {
    const call = await aCallThatIs('answered');
    for (const to of [call.to, `sip:${call.to}@pbx.example.com`]) {
      const { said, problem } = wish(call, to);
      expect(await problem).toMatch(/not transferred: .*who is in this call already.*cannot put them through/);
      expect(said()).toBe(0);
    }
    const wanted = { accountId: here().me.account.id, callId: call.uuid, to: call.to };
    await expect(orderWarmTransfer(here().database.db, wanted)).rejects.toThrow('who is in this call already');
    expect(await transfersOf(call)).toEqual([]);
  });

  test('nor to any number while all dialing of the account is stopped', async () => {
    const call = await aCallThatIs('answered');
    await api.post('/v1/account/stop-dialing');
    expect(await wish(call, desk).problem).toContain('stopped');
    await api.post('/v1/account/resume-dialing');
    expect(await transfersOf(call)).toEqual([]);
  });

  test('waits for no other: while the API’s is under way there is one', async () => {
    const call = await aCallThatIs('answered');
    await api.post('/v2/sip/call/transfer', { callId: call.id, transferTo: desk });
    expect(await wish(call, desk).problem).toContain('being transferred already');
    expect(await transfersOf(call)).toHaveLength(1);
  });
});

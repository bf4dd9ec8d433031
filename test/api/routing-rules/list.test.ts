import { beforeAll, describe, expect, test } from 'vitest';
import { aRegisteredNumber, aRule } from '../support-resources.js';
import { anAccount, api, here } from '../support.js';

describe('200', () => {
  interface Page {
    pageInfo: { currentPage: number; perPage: number; lastPage: number; total: number };
    data: { id: string; name: string; numbers: string[] }[];
  }

  const namesOf = async (query = '', token?: string): Promise<string[]> => {
    const response = await api.get(`/v2/sip/routing-rule${query}`, token === undefined ? {} : { token });
    expect(response.status).toBe(200);
    return (response.body as Page).data.map(({ name }) => name);
  };

  let number = '';
  const ids: string[] = [];

  beforeAll(async () => {
    number = (await aRegisteredNumber()).e164;
    ids.push(await aRule({ name: 'Alpha outbound' }));
    ids.push(await aRule({ name: 'Beta inbound', type: 'inbound', agentId: null, phoneNumbers: [number] }));
    ids.push(await aRule({ name: 'Gamma 100%_', room: { type: 'static', id: 'desk' } }));
    const other = await anAccount();
    const theirs = (await aRegisteredNumber({}, { token: other.token })).e164;
    await aRule({ name: 'Theirs', type: 'inbound', agentId: null, phoneNumbers: [theirs] }, { token: other.token });
  });

  // shows: rules.newest-first
  test('rules come newest first, only one’s own', async () => {
    expect(await namesOf()).toEqual(['Gamma 100%_', 'Beta inbound', 'Alpha outbound']);
  });

  // shows: rules.search, rules.type, rules.room-type
  test.each([
    ['type=inbound', ['Beta inbound']],
    ['type=outbound', ['Gamma 100%_', 'Alpha outbound']],
    ['type=sideways', ['Gamma 100%_', 'Beta inbound', 'Alpha outbound']],
    ['type=', ['Gamma 100%_', 'Beta inbound', 'Alpha outbound']],
    ['type=INBOUND', ['Gamma 100%_', 'Beta inbound', 'Alpha outbound']],
    ['roomType=static', ['Gamma 100%_']],
    ['roomType=dynamic', ['Beta inbound', 'Alpha outbound']],
    ['roomType=static,dynamic', ['Gamma 100%_', 'Beta inbound', 'Alpha outbound']],
    ['roomType=round', ['Gamma 100%_', 'Beta inbound', 'Alpha outbound']],
    ['search=BOUND', ['Beta inbound', 'Alpha outbound']],
    ['search=%25_', ['Gamma 100%_']],
    ['search=nobody', []],
    ['search=alpha&type=inbound', []],
    ['unknown=1', ['Gamma 100%_', 'Beta inbound', 'Alpha outbound']],
  ])('?%s', async (query, names) => {
    expect(await namesOf(`?${query}`)).toEqual(names);
  });

  // shows: rules.search
  test('search finds rules by a part of an attached number', async () => {
    expect(await namesOf(`?search=${number.slice(3)}`)).toEqual(['Beta inbound']);
  });

  // shows: rules.ids
  test('rules can be asked for by id, with commas, repeated, or both', async () => {
    const [a, b, c] = ids;
    expect(await namesOf(`?ruleIds=${a!}`)).toEqual(['Alpha outbound']);
    expect(await namesOf(`?ruleIds=${a!},${b!}`)).toEqual(['Beta inbound', 'Alpha outbound']);
    expect(await namesOf(`?ruleIds=${a!}&ruleIds=${b!}, ${c!}`)).toHaveLength(3);
    expect(await namesOf('?ruleIds=rule_none')).toEqual([]);
    expect(await namesOf('?ruleIds=')).toHaveLength(3);
  });

  test('another account’s rules cannot be asked for by id', async () => {
    const { token } = await anAccount();
    expect(await namesOf(`?ruleIds=${ids.join(',')}`, token)).toEqual([]);
  });

  // shows: rules.page-info
  test('pages hold what was asked for', async () => {
    const response = await api.get('/v2/sip/routing-rule?page=2&perPage=2');
    expect(response.body).toMatchObject({
      pageInfo: { currentPage: 2, perPage: 2, lastPage: 2, total: 3 },
      data: [{ name: 'Alpha outbound' }],
    });
  });

  test('a rule whose PIN cannot be read says so, and the others are listed as ever', async () => {
    const { e164 } = await aRegisteredNumber();
    const id = await aRule({
      name: 'Unreadable',
      type: 'inbound',
      agentId: null,
      phoneNumbers: [e164],
      room: { pin: '1' },
    });
    await here().database.pool.query("update routing_rules set room_pin_sealed = 'v2.lost.AAAA' where id = $1", [id]);
    const { status, body } = await api.get('/v2/sip/routing-rule?perPage=100');
    expect(status).toBe(200);
    const rules = (body as { data: { id: string; problem?: string; room: { pin?: string } }[] }).data;
    const problems = rules.flatMap(({ problem }) => problem ?? []);
    expect(rules.find((rule) => rule.id === id)?.room.pin).toBe('••••');
    expect(problems).toEqual([expect.stringContaining('The PIN of the room cannot be read')]);
    await api.delete(`/v2/sip/routing-rule/${id}`);
  });
});

import { describe, expect, test } from 'vitest';
import { searchKnowledgeBases } from '../../../db/queries/knowledge/search.js';
import { anAccount, api, here } from '../support.js';
import { aKnowledgeBase, aReadyKnowledgeBase, becomesFailed, problemsIn } from './support.js';

describe('200', () => {
  interface Found {
    readonly text: string;
    readonly score: number;
    readonly position: number;
  }

  async function query(id: string, words: string, change: object = {}): Promise<Found[]> {
    const response = await api.post(`/v1/knowledge-bases/${id}/query`, { query: words, ...change });
    expect(response.status).toBe(200);
    return (response.body as { data: Found[] }).data;
  }

  /** Passages of their own, however short the facts are. */
  const apart = (...facts: string[]) =>
    facts.map((fact) => `${fact}\n\n${'Filler goes here. '.repeat(60)}`).join('\n\n');

  // shows: knowledge.query
  test('the passage that has the words comes first, whatever form they are in', async () => {
    const id = await aReadyKnowledgeBase(
      apart('Orders can be returned within thirty days.', 'Shipping costs five euros.', 'We are open on Sundays.'),
    );
    const [best] = await query(id, 'return of an order');
    expect(best).toMatchObject({ text: expect.stringContaining('thirty days'), position: expect.any(Number) });
    expect(best!.score).toBeGreaterThan(0);
    expect(best!.score).toBeLessThan(1);
    expect((await query(id, 'SHIPPING cost'))[0]?.text).toContain('five euros');
  });

  test('if no passage has all the words, those with any of them are found, the best first', async () => {
    const id = await aReadyKnowledgeBase(
      apart('Delivery takes a week.', 'Express delivery on request.', 'Gift cards.'),
    );
    const found = await query(id, 'express delivery unicorn');
    expect(found.map(({ text }) => text.split('\n')[0])).toEqual([
      'Express delivery on request.',
      'Delivery takes a week.',
    ]);
    expect(found[0]!.score).toBeGreaterThan(found[1]!.score);
  });

  test('quotation marks, or and - mean what they mean in a search', async () => {
    const id = await aReadyKnowledgeBase(apart('Red blue green.', 'Blue red green.', 'Yellow only.'));
    const first = async (words: string) => (await query(id, words)).map(({ text }) => text.split('\n')[0]).toSorted();
    expect(await first('"red blue"')).toEqual(['Red blue green.']);
    expect(await first('yellow or green')).toEqual(['Blue red green.', 'Red blue green.', 'Yellow only.']);
    expect(await first('green -"blue red"')).toEqual(['Red blue green.']);
  });

  // shows: knowledge.language
  test.each([
    [
      'German',
      'Bestellungen können innerhalb von dreißig Tagen zurückgegeben werden. Öffnungszeiten sonntags.',
      'ÖFFNUNGSZEIT',
    ],
    ['Hindi', 'ऑर्डर डिलीवरी के तीस दिनों के भीतर वापस किए जा सकते हैं।', 'डिलीवरी'],
    ['Tamil', 'டெலிவரி செய்யப்பட்ட முப்பது நாட்களுக்குள் ஆர்டர்களைத் திருப்பி அனுப்பலாம்.', 'டெலிவரி'],
    ['Bengali', 'ডেলিভারির ত্রিশ দিনের মধ্যে অর্ডার ফেরত দেওয়া যায়।', 'অর্ডার'],
    ['Japanese, which has no spaces', 'ご注文は配達後三十日以内に返品できます。送料は無料です。', '返品'],
    ['Thai, which has none either', 'สามารถคืนสินค้าได้ภายในสามสิบวันหลังจากได้รับสินค้า', 'สินค้า'],
  ])('in %s words are found', async (_language, text, words) => {
    expect(await query(await aReadyKnowledgeBase(text), words)).toHaveLength(1);
  });

  // shows: knowledge.query
  test('at most limit passages are answered, five where none is said', async () => {
    const id = await aReadyKnowledgeBase(apart(...Array.from({ length: 25 }, (_, index) => `Fact number ${index}.`)));
    expect(await query(id, 'fact')).toHaveLength(5);
    expect(await query(id, 'fact', { limit: 20 })).toHaveLength(20);
    expect(await query(id, 'fact', { limit: 1 })).toHaveLength(1);
  });

  test.each(['nothing of the kind', 'the of and', '!!! ???', "';--", '& | !', '\\'])(
    '%j is an answer too, and never a failure',
    async (words) => {
      expect(await query(await aReadyKnowledgeBase('Orders can be returned.'), words)).toEqual([]);
    },
  );

  test('several knowledge bases are searched as one, each in its language, and those of another account hold nothing', async () => {
    const { db } = here().database;
    const me = here().me.account.id;
    const english = await aReadyKnowledgeBase('Returned parcels are refunded.');
    const german = await aReadyKnowledgeBase('Pakete werden innerhalb von dreißig Tagen zurückgenommen und erstattet.');
    const search = async (accountId: string, words: string) =>
      (await searchKnowledgeBases(db, accountId, [english, german, 'kb_none'], words, 5)).map(
        ({ knowledgeBaseId }) => knowledgeBaseId,
      );
    expect(await search(me, 'refund')).toEqual([english]);
    expect(await search(me, 'Paket')).toEqual([german]);
    expect((await search(me, 'refund Paket')).toSorted()).toEqual([english, german].toSorted());
    expect(await search((await anAccount()).account.id, 'refund')).toEqual([]);
  });
});

describe('400', () => {
  test.each<[string, object, string]>([
    ['no query', {}, 'query REQUIRED'],
    ['an empty query', { query: '' }, 'query INVALID_VALUE'],
    ['a query of 1001 characters', { query: 'a'.repeat(1001) }, 'query TOO_LONG'],
    ['a limit of 0', { query: 'a', limit: 0 }, 'limit OUT_OF_RANGE'],
    ['a limit of 21', { query: 'a', limit: 21 }, 'limit OUT_OF_RANGE'],
    ['half a passage', { query: 'a', limit: 1.5 }, 'limit INVALID_TYPE'],
    ['a limit that is a text', { query: 'a', limit: '5' }, 'limit INVALID_TYPE'],
    ['an unknown field', { query: 'a', top: 1 }, 'top UNRECOGNIZED_KEY'],
  ])('%s is refused', async (_what, body, problem) => {
    const id = await aReadyKnowledgeBase('Hello there.');
    const response = await api.post(`/v1/knowledge-bases/${id}/query`, body);
    expect(response.status).toBe(400);
    expect(problemsIn(response.body)).toEqual([problem]);
  });
});

describe('409', () => {
  test('before it has been read there is nothing, and if that failed the reason is told', async () => {
    const { knowledgeBaseId: id } = await aKnowledgeBase();
    const ask = async () => {
      const { status, body } = await api.post(`/v1/knowledge-bases/${id}/query`, { query: 'hours' });
      return { status, body };
    };
    expect(await ask()).toEqual({ status: 409, body: { error: 'The knowledge base is still being processed' } });
    await becomesFailed(id, 'The document holds no text.');
    expect(await ask()).toEqual({
      status: 409,
      body: { error: 'The knowledge base could not be processed: The document holds no text.' },
    });
  });
});

import { z } from 'zod';
import { findContactFacts, listCallsOfContact } from '../../db/queries/accounts/contacts.js';
import { isE164 } from '../../domain/phone/phone-number.js';
import { callDetailBody } from '../calls/bodies.js';
import { operation } from '../operation.js';
import { pageBody, pageQuery, rowsOfPage } from '../pagination.js';
import { publicUrl } from '../public-url.js';
import { Contact, contactFacts, contactParams, contactUnknown } from './schema.js';

/** GET /v1/contacts/{e164} */
export const getContact = operation({
  name: 'contacts.get',
  method: 'GET',
  url: '/v1/contacts/:e164',
  family: 'account',
  tag: 'Contacts',
  schema: {
    summary: 'Get everything about a number',
    description:
      'Its calls with attempts and transcripts, newest first and page by page, single ones and those of batch ' +
      'calls; the batch calls they belong to; its entry on the do-not-call list; and rows of uploaded files that ' +
      'hold it but are not called. 404 if there is none of this. Erased data is not found, and rows of other people ' +
      'that mention the number are not searched.',
    params: contactParams,
    query: z.object(pageQuery),
    response: { 200: Contact },
  },

  async handler({ params: { e164 }, query, caller: { accountId }, raw }, { database: { db }, env }) {
    if (!isE164(e164)) throw contactUnknown();
    const facts = await findContactFacts(db, accountId, e164);
    const { calls: total, doNotCall, rejectedRows } = facts;
    if (total === 0 && doNotCall === null && rejectedRows.length === 0) throw contactUnknown();
    const calls = await listCallsOfContact(db, accountId, e164, rowsOfPage(query));
    const baseUrl = publicUrl(env, raw);
    const page = pageBody(
      query,
      total,
      calls.map((call) => callDetailBody(call, baseUrl)),
    );
    return { status: 200, body: { ...contactFacts(e164, facts), ...page } };
  },
});

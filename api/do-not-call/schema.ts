import { z } from 'zod';
import type { DoNotCallRow } from '../../db/queries/accounts/do-not-call.js';
import { numberFaults } from '../../domain/batch/row-reasons.js';
import { e164, instant } from '../fields.js';

/** Most numbers in a JSON body; a file takes as many as fit in 5 MB. */
export const mostNumbers = 100_000;
/** Rows of a file that are listed as rejected. */
export const mostRejectedRows = 100;

const reason = z.string().trim().min(1).max(500).optional().describe('Why, for readers of the list');

export const AddToDoNotCall = z
  .strictObject({
    phoneNumbers: z
      .array(e164())
      .min(1)
      .max(mostNumbers)
      .describe('E.164 with the +. If one of them is not valid, none is added.'),
    reason,
  })
  .meta({
    id: 'AddToDoNotCall',
    examples: [{ phoneNumbers: ['+919877012345', '+14155550123'], reason: 'Asked not to be called' }],
  });

/** The form as the reference shows it. */
export const AddToDoNotCallForm = z
  .object({
    file: z
      .string()
      .meta({ format: 'binary' })
      .describe(
        '.csv, .xls or .xlsx of at most 5 MB. The first row is the header and needs a phone_number column; other ' +
          'columns are not looked at.',
      ),
    reason,
    missingPlus: z
      .enum(['reject', 'add'])
      .optional()
      .describe(
        'Numbers without +: reject (default) answers them under rejectedRows; add puts it in front if that gives a ' +
          'valid number',
      ),
  })
  .meta({
    id: 'AddToDoNotCallForm',
    examples: [{ file: 'phone_number\n+919877012345\n', reason: 'Asked not to be called' }],
  });

export const Added = z
  .strictObject({
    added: z.int().describe('Numbers that were not on the list'),
    alreadyListed: z.int().describe('Numbers that were, and stay as they are'),
    rejected: z.int().describe('Rows of the file whose number could not be read; they are not on the list'),
    rejectedRows: z
      .array(
        z.strictObject({
          row: z.int().describe('As a spreadsheet shows it: the header is row 1'),
          value: z.string().describe('What the phone_number cell holds'),
          reason: z.enum(numberFaults).describe('Why it cannot be read'),
          message: z.string().describe('What is wrong and how to correct it'),
        }),
      )
      .describe(`The first ${mostRejectedRows} of them`),
  })
  .meta({
    id: 'AddedToDoNotCall',
    examples: [
      {
        added: 2,
        alreadyListed: 1,
        rejected: 1,
        rejectedRows: [
          {
            row: 4,
            value: '12345',
            reason: 'invalid_number',
            message: '"12345" is not a possible phone number. Write + , the country code and the number.',
          },
        ],
      },
    ],
  });

export const DoNotCallEntry = z
  .strictObject({
    phoneNumber: z.string().describe('E.164'),
    reason: z.string().optional().describe('Why, as it was sent'),
    createdAt: instant().describe('Since when it is on the list'),
  })
  .meta({
    id: 'DoNotCallEntry',
    examples: [
      {
        phoneNumber: '+919877012345',
        reason: 'Asked not to be called',
        createdAt: '2026-11-21T09:30:00.000Z',
      },
    ],
  });

export const doNotCallBody = (row: DoNotCallRow): z.output<typeof DoNotCallEntry> => ({
  phoneNumber: row.e164,
  ...(row.reason === null ? {} : { reason: row.reason }),
  createdAt: row.createdAt.toISOString(),
});

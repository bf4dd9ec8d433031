import { z } from 'zod';
import { expected } from '../input/field-problems.js';
import { e164Problem } from '../phone/phone-number.js';
import { choice, jsonText, text, textWith } from './form-field-kinds.js';

const callingNumber =
  'Number to call from, E.164 with the +. Required unless phoneNumberId is sent, which must agree, or phoneNumbers.';
/** Ways in which a retry chooses its number. */
const numberRules = ['same', 'other'] as const;
const mostNumbers = 100;
const numbersWords =
  `1 to ${mostNumbers} numbers to call from, in place of phoneNumber. All go out by one gateway and are served by the rule. ` +
  'Each attempt is made from one that its limits let call: of the callee’s country, then with the nearest area code, then the least ' +
  'used today.';
const retryNumberWords =
  'With phoneNumbers, what a retry is made from: same (default), the number of the try before, as long as that may call ' +
  'today; other, the one that the callee was called from least.';

/** Which numbers a batch calls from; each field as in form-fields.ts. */
export const numberFields = {
  phoneNumber: {
    ...text(textWith(e164Problem, 'must be a phone number'), callingNumber),
    inJson: z
      .string()
      .optional()
      .meta({ description: callingNumber, examples: ['+14155550100'] }),
  },
  phoneNumberId: text(z.string(), 'The same number by its id'),
  phoneNumbers: {
    ...jsonText(
      z
        .array(textWith(e164Problem, 'must be a phone number'), expected('must be an array of phone numbers'))
        .min(1, 'must name at least one number')
        .max(mostNumbers, `must name at most ${mostNumbers} numbers`)
        .refine((numbers) => new Set(numbers).size === numbers.length, { error: 'must not name a number twice' }),
      '["+14155550100","+12125550100"]',
      numbersWords,
    ),
    answered: z.array(z.string()).optional().describe('Numbers that attempts are made from, if there are several'),
  },
  numberOnRetry: {
    ...choice(numberRules, retryNumberWords),
    changed: z.enum(numberRules).nullish().describe('Until the batch call ends, for attempts from now on'),
    answered: z.enum(numberRules).optional().describe('What a retry is made from; omitted: same'),
  },
};

import { z } from 'zod';
import { unfilledRules } from '../../domain/account/defaults.js';

/** The form of create batch call as the reference shows it; domain/batch/form.ts reads and judges it. */
export const CreateBatchCallForm = z
  .object({
    file: z
      .string()
      .meta({ format: 'binary' })
      .describe(
        '.csv, .xls or .xlsx of at most 5 MB (5,242,880 bytes). The first row is the header and needs a phone_number column ' +
          '(E.164 with the +). Every other column is passed to the agent as metadata of that call. Rows that cannot be ' +
          'called are left out and listed under rejected-rows.',
      ),
    name: z.string().min(1).max(256).describe('Returned as batchName'),
    phoneNumber: z
      .string()
      .optional()
      .describe('Number to call from, E.164 with the +. Required unless phoneNumberId is sent; both must agree.'),
    phoneNumberId: z.string().optional().describe('The same number by its id'),
    description: z.string().max(1000).optional().describe('For your own use; it is returned'),
    routingRuleId: z
      .string()
      .optional()
      .describe('Outbound rule that picks the agent. May be left out where the number has exactly one.'),
    schedule: z
      .string()
      .optional()
      .describe(
        'JSON {date: YYYY-MM-DD, time: HH:MM, timezone}; left out: calls start when the file has been read. timezone is an ' +
          'IANA name, default that of the account, else Asia/Calcutta. A time that the clocks skip is refused, one that they show twice is the ' +
          'earlier. The current minute starts at once; before it and over a year ahead is refused.',
      ),
    retry: z
      .string()
      .optional()
      .describe(
        'JSON {retryOn, retryDelays}; left out: each number is called once. retryOn: any of failed, not-answered, rejected, ' +
          'missed, abandoned. retryDelays: 1 to 5 whole numbers of seconds, each 1 to 604800, one for each retry.',
      ),
    webhook: z
      .string()
      .optional()
      .describe(
        'JSON {endpoint, events}; events: at least one of batchcall-started, batchcall-completed. The endpoint is an https ' +
          'URL outside of private networks.',
      ),
    callingWindow: z
      .string()
      .optional()
      .describe(
        'JSON {from: "09:00", until: "20:00", daysOfWeek: [1, 2, 3, 4, 5], timezone}: hours in which calls may start. ' +
          'until goes up to 24:00; where it is before from, the window ends on the next day. daysOfWeek counts from 1 ' +
          '(Monday), default every day. timezone: IANA name, or recipient (default): each callee has its own, from a ' +
          'timezone column, else of its number, else of the batch. Where several come into question it must be open in all.',
      ),
    maxConcurrentCalls: z
      .string()
      .optional()
      .describe('Most calls of this batch at the same time, 1 to 10000; the gateway has a limit of its own'),
    duplicates: z
      .enum(['call', 'skip'])
      .optional()
      .describe(
        'call (default): identical rows are skipped, the same number with other metadata is called again; skip: each number once',
      ),
    missingPlus: z
      .enum(['reject', 'add'])
      .optional()
      .describe(
        'Numbers without +: reject (default) lists them under rejected-rows; add puts it in front where that gives a valid number',
      ),
    defaultCountry: z
      .string()
      .optional()
      .describe(
        'ISO 3166-1 alpha-2, such as US: numbers without + are read as numbers of this country where they are valid ones, and ' +
          'counted as corrected. Default: the country of the account where missingPlus is not sent.',
      ),
    unfilledPlaceholders: z
      .enum(unfilledRules)
      .optional()
      .describe(
        'Placeholders of prompt and greeting that no column and no agentMetadata of the rule fills: allow (default, unless ' +
          'the account has another) speaks them as nothing; reject ends the batch call parse_failed with their names, and ' +
          'lists rows that leave one empty under rejected-rows.',
      ),
  })
  .meta({
    id: 'CreateBatchCall',
    examples: [
      {
        file: 'phone_number,first_name\n+14155550123,Asha\n+14155550124,Ravi\n',
        name: 'Appointment reminders',
        phoneNumber: '+14155550100',
        schedule: '{"date":"2026-03-02","time":"09:30","timezone":"America/Los_Angeles"}',
        retry: '{"retryOn":["not-answered","missed"],"retryDelays":[300,3600]}',
        webhook:
          '{"endpoint":"https://example.com/hooks/outdial","events":["batchcall-started","batchcall-completed"]}',
      },
    ],
  });

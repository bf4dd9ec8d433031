import { z } from 'zod';
import { jsonFields, shownFields } from '../../domain/batch/form-fields.js';
import { mostRecipients, RecipientInput } from '../../domain/batch/recipients.js';

/** The form of create batch call as the reference shows it; domain/batch/form.ts reads and judges it. */
export const CreateBatchCallForm = z
  .object({
    file: z
      .string()
      .meta({ format: 'binary' })
      .describe(
        '.csv, .xls or .xlsx of at most 5 MB (5,242,880 bytes). The first row is the header and needs a ' +
          'phone_number column (E.164 with the +). Every other column is passed to the agent as metadata of that ' +
          'call. Rows that cannot be called are listed under rejected-rows.',
      ),
    ...shownFields,
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

/** The same as JSON, with recipients in place of a file. */
export const CreateBatchCallJson = z
  .strictObject({
    recipients: z
      .array(RecipientInput)
      .min(1)
      .max(mostRecipients)
      .describe(
        'Who is called. Those that cannot be called are listed under rejected-rows with their index, for the ' +
          'reasons for which rows of a file are.',
      ),
    ...jsonFields,
  })
  .meta({ id: 'CreateBatchCallFromRecipients' });
